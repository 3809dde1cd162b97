// The webhooks of all configurations of one kind, as they stand: compiled when a configuration changes, never when a request comes.
import { type CompiledWebhook, compileWebhook, NO_WEBHOOKS, WebhookSet, type WebhookSource } from '@instar/admission';
import type { Log } from '@instar/serving';
import { CacheFollower } from '../controllers/cache-follower.ts';
import type { CachedObject } from '../resource/cached-object.ts';
import type { Resource } from '../resource/resource.ts';

export class FollowedConfigurations {
  readonly #follower: CacheFollower;
  readonly #byName = new Map<string, readonly CompiledWebhook[]>();
  readonly #onChange: () => void;
  #set = NO_WEBHOOKS;

  constructor(resource: Resource, log: Log, onChange: () => void) {
    this.#onChange = onChange;
    this.#follower = new CacheFollower(resource.cache, {
      onState: (objects) => this.#replace(objects),
      onEvent: ({ type, object }) => this.#update(type === 'DELETED' ? undefined : object, object.metadata.name!),
      onError: (error) => log.error({ err: error, prefix: resource.prefix }, 'webhook configurations cannot be read'),
    });
  }

  get webhooks(): WebhookSet {
    return this.#set;
  }

  /** Resolves when the configurations that are there are in force. */
  start(): Promise<void> {
    return this.#follower.start();
  }

  stop(): void {
    this.#follower.stop();
  }

  #replace(objects: Iterable<CachedObject>): void {
    this.#byName.clear();
    for (const object of objects) this.#byName.set(object.metadata.name!, compile(object));
    this.#changed();
  }

  #update(object: CachedObject | undefined, name: string): void {
    if (object === undefined) this.#byName.delete(name);
    else this.#byName.set(name, compile(object));
    this.#changed();
  }

  #changed(): void {
    const names = [...this.#byName.keys()].sort();
    this.#set = new WebhookSet(names.flatMap((name) => this.#byName.get(name)!));
    this.#onChange();
  }
}

/** Stored in v1, with all defaults. */
function compile(object: CachedObject): CompiledWebhook[] {
  const { webhooks } = object.parse() as { webhooks?: WebhookSource[] | null };
  return (webhooks ?? []).map((webhook, index) => compileWebhook(object.metadata.name!, index, webhook));
}
