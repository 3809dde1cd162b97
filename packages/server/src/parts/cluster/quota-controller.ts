// Counts the usage of every ResourceQuota: when it is new or changed, and when objects that it counts come,
// go or change. Admission adds to the usage what requests are about to use.
import { asJson, deepEqual, type JsonValue } from '@instar/machinery';
import type { Log } from '@instar/serving';
import type { ResourceQuota } from '../../kinds/validate/resource-quota.ts';
import type { CachedObject } from '../../objects/cached-object.ts';
import type { ResourceRegistry } from '../../objects/registry.ts';
import type { Resource } from '../../objects/resource.ts';
import type { CacheEvent } from '../../objects/watch/cache-event.ts';
import { changeInternally, readCached } from './internal-objects.ts';
import { KeyedController, keyOf, splitKey } from './keyed-controller.ts';
import { countedFor, measure, usageOfCached } from './quota-usage.ts';

/** A request is charged before its object is there: the count waits until it is. */
const DELAY_MS = 200;

export class QuotaController {
  readonly #registry: ResourceRegistry;
  readonly #quotas: Resource;
  readonly #controller: KeyedController;
  /** Those that some quota counts. */
  readonly #followed = new Map<Resource, Promise<void>>();
  #stopListening: (() => void) | undefined;

  constructor(registry: ResourceRegistry, log: Log) {
    this.#registry = registry;
    this.#quotas = registry.get('', 'resourcequotas')!;
    this.#controller = new KeyedController({
      name: 'resourcequota-controller',
      log,
      delayMs: DELAY_MS,
      follows: [{ resource: this.#quotas, keysOf: (quota) => [keyOf(quota)] }],
      work: (key) => this.#count(key),
    });
  }

  async start(): Promise<void> {
    // A quota may name a custom resource before it is defined.
    this.#stopListening = this.#registry.onChange(() => {
      for (const quota of this.#quotas.cache.values()) this.#controller.add(keyOf(quota));
    });
    await this.#controller.start();
  }

  async stop(): Promise<void> {
    this.#stopListening?.();
    await this.#controller.stop();
  }

  async #count(key: string): Promise<void> {
    const id = splitKey(key);
    const quota = readCached<ResourceQuota>(this.#quotas, id);
    if (quota === undefined) return;
    await this.#followCounted(quota);
    const changesAt = await this.#quotas.turns.take(`quota ${id.namespace}`, () => this.#update(id));
    if (changesAt !== undefined) this.#controller.addLater(key, changesAt - Date.now());
  }

  /** In the turn of admission, so that no charge is lost. */
  async #update(id: { namespace: string; name: string }): Promise<number | undefined> {
    const quota = readCached<ResourceQuota>(this.#quotas, id);
    if (quota === undefined) return undefined;
    const { used, changesAt } = await measure(this.#registry, quota, Date.now());
    const { hard = {} } = quota.spec;
    const status = { ...(Object.keys(hard).length > 0 && { hard }), used } as unknown as JsonValue;
    if (deepEqual(asJson(quota)['status'] ?? {}, status)) return changesAt;
    await changeInternally(this.#quotas, id, (live) => void (live['status'] = structuredClone(status)), {
      subresource: 'status',
    });
    return changesAt;
  }

  async #followCounted({ spec }: ResourceQuota): Promise<void> {
    for (const name of Object.keys(spec.hard ?? {})) {
      const resource = countedFor(this.#registry, name);
      if (resource === undefined) continue;
      let following = this.#followed.get(resource);
      if (following === undefined) {
        following = this.#controller.follow({
          resource,
          keysOf: (object) => this.#quotasOf(object),
          isRelevant: (event) => changesUsage(event, resource),
        });
        this.#followed.set(resource, following);
      }
      await following;
    }
  }

  #quotasOf({ metadata }: CachedObject): string[] {
    const prefix = this.#quotas.prefixOf(metadata.namespace!);
    return this.#quotas.cache.slice(prefix).map((quota) => keyOf(quota));
  }
}

/** Also a change of what scopes look at: the deletion or the class of an object. */
function changesUsage({ type, object, previous }: CacheEvent, resource: Resource): boolean {
  if (type !== 'MODIFIED' || previous === undefined) return true;
  if (resource.definition.group !== '') return false;
  if (object.metadata.deletionTimestamp !== previous.metadata.deletionTimestamp) return true;
  const { kind } = resource.definition.names;
  if (kind === 'PersistentVolumeClaim') return true;
  if (kind === 'Pod' && object.metadata.generation !== previous.metadata.generation) return true;
  return !deepEqual(usageOfCached(object, resource), usageOfCached(previous, resource));
}
