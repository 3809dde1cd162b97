// The webhooks of all configurations of one kind: compiled when a configuration changes, never during a
// request.
import {
  type CompiledWebhook,
  compileWebhook,
  NO_WEBHOOKS,
  WebhookSet,
  type WebhookSource,
} from '@instar/admission';
import type { Log } from '@instar/serving';
import type { CachedObject } from '../../objects/cached-object.ts';
import type { Resource } from '../../objects/resource.ts';
import { CacheFollower } from '../controllers/cache-follower.ts';
import { CompiledByName } from './compiled-by-name.ts';

export class FollowedConfigurations {
  readonly #follower: CacheFollower;
  readonly #compiled = new CompiledByName(compile);
  readonly #onChange: () => void;
  #set = NO_WEBHOOKS;

  constructor(resource: Resource, log: Log, onChange: () => void) {
    this.#onChange = onChange;
    this.#follower = new CacheFollower(resource.cache, {
      onState: (objects) => {
        this.#compiled.replace(objects);
        this.#changed();
      },
      onEvent: ({ type, object }) => {
        if (type === 'DELETED') this.#compiled.delete(object.metadata.name!);
        else this.#compiled.set(object);
        this.#changed();
      },
      onError: (error) =>
        log.error({ err: error, prefix: resource.prefix }, 'webhook configurations cannot be read'),
    });
  }

  get webhooks(): WebhookSet {
    return this.#set;
  }

  /** Resolves when the existing configurations are in effect. */
  start(): Promise<void> {
    return this.#follower.start();
  }

  stop(): void {
    this.#follower.stop();
  }

  #changed(): void {
    this.#set = new WebhookSet(this.#compiled.values().flat());
    this.#onChange();
  }
}

/** Stored in v1, with all defaults. */
function compile(object: CachedObject): CompiledWebhook[] {
  const { webhooks } = object.parse() as { webhooks?: WebhookSource[] | null };
  return (webhooks ?? []).map((webhook, index) => compileWebhook(object.metadata.name!, index, webhook));
}
