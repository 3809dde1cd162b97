// Deletes a namespace: first its contents, then its finalizer, and thereby the namespace itself.
import type { JsonObject, KubeObject } from '@instar/machinery';
import { type Log, WorkQueue } from '@instar/serving';
import type { CachedObject } from '../../objects/cached-object.ts';
import type { ResourceRegistry } from '../../objects/registry.ts';
import type { Resource } from '../../objects/resource.ts';
import { ignoreNotFound } from '../../objects/write/ignore-not-found.ts';
import { timestamp } from '../../objects/write/system-fields.ts';
import { updateObject } from '../../objects/write/update.ts';
import { CacheFollower } from './cache-follower.ts';
import { deleteAllInternally } from './internal-deletes.ts';
import { internalWrite } from './internal-writes.ts';
import { namespaceConditions, type RemainingContent } from './namespace-conditions.ts';

const FINALIZER = 'kubernetes';
/** Contents with finalizers may take a while. */
const RETRY_MS = 500;

export class NamespaceController {
  readonly #registry: ResourceRegistry;
  readonly #namespaces: Resource;
  readonly #queue: WorkQueue;
  readonly #follower: CacheFollower;

  constructor(registry: ResourceRegistry, namespaces: Resource, log: Log) {
    this.#registry = registry;
    this.#namespaces = namespaces;
    this.#queue = new WorkQueue({
      work: (name) => this.#finish(name),
      onError: (name, error) =>
        log.warn({ namespace: name, err: error }, 'a namespace could not be emptied yet'),
    });
    this.#follower = new CacheFollower(namespaces.cache, {
      onState: (objects) => {
        for (const object of objects) this.#consider(object);
      },
      onEvent: ({ type, object }) => type !== 'DELETED' && this.#consider(object),
      onError: (error) => log.error({ err: error }, 'namespaces cannot be followed'),
    });
  }

  async start(): Promise<void> {
    await this.#follower.start();
  }

  async stop(): Promise<void> {
    this.#follower.stop();
    await this.#queue.close();
  }

  #consider(namespace: CachedObject): void {
    if (namespace.mayHave('deletionTimestamp')) this.#queue.add(namespace.metadata.name!);
  }

  async #finish(name: string): Promise<void> {
    const namespace = this.#namespaces.cache.get(this.#namespaces.key('', name));
    if (namespace?.metadata.deletionTimestamp == null) return;
    const remaining = await this.#empty(name);
    if (remaining.resources.size > 0) {
      await this.#report(name, remaining);
      this.#queue.addLater(name, RETRY_MS);
      return;
    }
    await this.#removeFinalizer(name);
  }

  /**
   * Deletes all contents; returns what remains. An object that cannot be deleted does not affect the others.
   */
  async #empty(namespace: string): Promise<RemainingContent> {
    const [resources, finalizers] = [new Map<string, number>(), new Map<string, number>()];
    const failures: string[] = [];
    for (const resource of this.#registry.all()) {
      if (!resource.definition.namespaced) continue;
      failures.push(...(await this.#deleteAll(resource, namespace)));
      await resource.cache.waitUntilFresh();
      const left = resource.cache.slice(resource.prefixOf(namespace));
      if (left.length > 0)
        resources.set(`${resource.definition.names.plural}.${resource.definition.group}`, left.length);
      for (const { metadata } of left)
        for (const finalizer of metadata.finalizers ?? [])
          finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
    }
    return { resources, finalizers, failures };
  }

  async #deleteAll(resource: Resource, namespace: string): Promise<string[]> {
    await resource.cache.waitUntilFresh();
    const objects = resource.cache.slice(resource.prefixOf(namespace));
    const failures = await deleteAllInternally(resource, objects, { propagationPolicy: 'Background' });
    return failures.map((failure) => (failure instanceof Error ? failure.message : String(failure)));
  }

  async #report(name: string, remaining: RemainingContent): Promise<void> {
    await this.#update(name, 'status', (namespace) => {
      const status = (namespace['status'] ??= {}) as { conditions?: JsonObject[] };
      status.conditions = namespaceConditions(status.conditions ?? [], remaining, timestamp(Date.now()));
    });
  }

  async #removeFinalizer(name: string): Promise<void> {
    await this.#update(name, 'finalize', (namespace) => {
      const spec = (namespace['spec'] ?? {}) as { finalizers?: string[] };
      namespace['spec'] = {
        ...spec,
        finalizers: (spec.finalizers ?? []).filter((finalizer) => finalizer !== FINALIZER),
      };
    });
  }

  async #update(
    name: string,
    subresource: 'status' | 'finalize',
    change: (namespace: KubeObject) => void,
  ): Promise<void> {
    const next = async (live: KubeObject | undefined) => {
      const copy = structuredClone(live!);
      change(copy);
      return copy;
    };
    await ignoreNotFound(
      updateObject(internalWrite({ resource: this.#namespaces, name, subresource }), {
        next,
        mayCreate: false,
        options: {},
      }),
    );
  }
}
