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
import { namespaceConditions, type Remains } from './namespace-conditions.ts';
import { WorkQueue } from './work-queue.ts';

const FINALIZER = 'kubernetes';
/** Contents with finalizers of their own take their time. */
const RETRY_MS = 500;
const DELETED_AT_ONCE = 64;

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
    const remains = await this.#empty(name);
    if (remains.resources.size > 0) {
      await this.#report(name, remains);
      this.#queue.addLater(name, RETRY_MS);
      return;
    }
    await this.#removeFinalizer(name);
  }

  /** Deletes what is there; answers what is still there afterwards. One object that cannot be deleted keeps no other. */
  async #empty(namespace: string): Promise<Remains> {
    const [resources, finalizers] = [new Map<string, number>(), new Map<string, number>()];
    const failures: string[] = [];
    for (const resource of this.#registry.all()) {
      if (!resource.definition.namespaced) continue;
      failures.push(...(await this.#deleteAll(resource, namespace)));
      await resource.cache.fresh();
      const left = resource.cache.slice(resource.prefixOf(namespace));
      if (left.length > 0) resources.set(`${resource.definition.names.plural}.${resource.definition.group}`, left.length);
      for (const { metadata } of left)
        for (const finalizer of metadata.finalizers ?? []) finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
    }
    return { resources, finalizers, failures };
  }

  /** Many at once, so that they share commits. Answers why some could not be deleted. */
  async #deleteAll(resource: Resource, namespace: string): Promise<string[]> {
    await resource.cache.fresh();
    const names = resource.cache.slice(resource.prefixOf(namespace)).map(({ metadata }) => metadata.name!);
    const failures: string[] = [];
    for (let at = 0; at < names.length; at += DELETED_AT_ONCE) {
      const batch = names.slice(at, at + DELETED_AT_ONCE);
      const outcomes = await Promise.allSettled(batch.map((name) => this.#delete(resource, namespace, name)));
      for (const outcome of outcomes) if (outcome.status === 'rejected') failures.push(String(outcome.reason?.message ?? outcome.reason));
    }
    return failures;
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

  async #report(name: string, remains: Remains): Promise<void> {
    await this.#update(name, 'status', (namespace) => {
      const status = (namespace['status'] ??= {}) as { conditions?: JsonObject[] };
      status.conditions = namespaceConditions(status.conditions ?? [], remains, timestamp(Date.now()));
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
