// Deleting a namespace: its contents go first, then the finalizer that holds it, and with that the namespace itself.
import type { JsonObject, KubeObject } from '@instar/machinery';
import type { Log } from '../log/log.ts';
import type { ResourceRegistry } from '../resource/registry.ts';
import type { Resource } from '../resource/resource.ts';
import { deleteObject } from '../resource/write/delete.ts';
import { timestamp } from '../resource/write/system-fields.ts';
import { updateObject } from '../resource/write/update.ts';
import type { CacheEvent } from '../watch/resource-cache.ts';
import { ignoreNotFound } from './ignore-not-found.ts';
import { internalWrite } from './internal-writes.ts';
import { WorkQueue } from './work-queue.ts';

const FINALIZER = 'kubernetes';
/** Contents with finalizers of their own take their time. */
const RETRY_MS = 500;

export class NamespaceController {
  readonly #registry: ResourceRegistry;
  readonly #namespaces: Resource;
  readonly #queue: WorkQueue;
  #unsubscribe: (() => void) | undefined;

  constructor(registry: ResourceRegistry, namespaces: Resource, log: Log) {
    this.#registry = registry;
    this.#namespaces = namespaces;
    this.#queue = new WorkQueue({
      work: (name) => this.#finish(name),
      onError: (name, error) => log.warn({ namespace: name, err: error }, 'a namespace could not be emptied yet'),
    });
  }

  async start(): Promise<void> {
    await this.#namespaces.cache.started();
    const consider = ({ object }: Pick<CacheEvent, 'object'>) => {
      if (object.metadata.deletionTimestamp != null) this.#queue.add(object.metadata.name!);
    };
    for (const object of this.#namespaces.cache.values()) consider({ object });
    this.#unsubscribe = this.#namespaces.cache.subscribe({
      onEvent: (event) => event.type !== 'DELETED' && consider(event),
      onReset: () => {},
    });
  }

  async stop(): Promise<void> {
    this.#unsubscribe?.();
    await this.#queue.close();
  }

  async #finish(name: string): Promise<void> {
    const namespace = this.#namespaces.cache.get(this.#namespaces.key('', name));
    if (namespace?.metadata.deletionTimestamp == null) return;
    const left = await this.#empty(name);
    if (left.length > 0) {
      await this.#report(name, left);
      this.#queue.addLater(name, RETRY_MS);
      return;
    }
    await this.#removeFinalizer(name);
  }

  /** Deletes what is there; answers what is still there afterwards, by resource. */
  async #empty(namespace: string): Promise<string[]> {
    const left: string[] = [];
    for (const resource of this.#registry.all()) {
      if (!resource.definition.namespaced) continue;
      await resource.cache.fresh();
      for (const { metadata } of resource.cache.slice(resource.prefixOf(namespace)))
        await this.#delete(resource, namespace, metadata.name!);
      await resource.cache.fresh();
      const count = resource.cache.slice(resource.prefixOf(namespace)).length;
      if (count > 0) left.push(`${resource.definition.names.plural}. has ${count} resource instances`);
    }
    return left;
  }

  async #delete(resource: Resource, namespace: string, name: string): Promise<void> {
    const options = {
      dryRun: false,
      gracePeriodSeconds: undefined,
      orphanDependents: undefined,
      propagationPolicy: 'Background' as const,
      uid: undefined,
      resourceVersion: undefined,
    };
    await ignoreNotFound(deleteObject(internalWrite({ resource, namespace, name }), options));
  }

  async #report(name: string, left: readonly string[]): Promise<void> {
    const condition = {
      type: 'NamespaceContentRemaining',
      status: 'True',
      lastTransitionTime: timestamp(Date.now()),
      reason: 'SomeResourcesRemain',
      message: `Some resources are remaining: ${left.join(', ')}`,
    };
    await this.#update(name, 'status', (namespace) => {
      const status = (namespace['status'] ??= {}) as { conditions?: JsonObject[] };
      const before = status.conditions?.find(({ type }) => type === condition.type);
      const kept = before?.['message'] === condition.message ? before : condition;
      status.conditions = [...(status.conditions ?? []).filter(({ type }) => type !== condition.type), kept];
    });
  }

  async #removeFinalizer(name: string): Promise<void> {
    await this.#update(name, 'finalize', (namespace) => {
      const spec = (namespace['spec'] ?? {}) as { finalizers?: string[] };
      namespace['spec'] = { ...spec, finalizers: (spec.finalizers ?? []).filter((finalizer) => finalizer !== FINALIZER) };
    });
  }

  async #update(name: string, subresource: 'status' | 'finalize', change: (namespace: KubeObject) => void): Promise<void> {
    const next = async (live: KubeObject | undefined) => {
      const copy = structuredClone(live!);
      change(copy);
      return copy;
    };
    await ignoreNotFound(
      updateObject(internalWrite({ resource: this.#namespaces, name, subresource }), { next, mayCreate: false, options: {} }),
    );
  }
}
