// Objects whose owners have gone go too; owners that are deleted in the foreground wait for them; owners deleted with Orphan let them go.
// It watches every resource, remembers who owns whom by uid, and works on one object at a time.
import { ApiError, type ObjectMeta, type OwnerReference } from '@instar/machinery';
import type { Log } from '../log/log.ts';
import type { CachedObject } from '../resource/cached-object.ts';
import type { ResourceRegistry } from '../resource/registry.ts';
import type { Resource } from '../resource/resource.ts';
import { changeMetadata } from '../resource/write/change-metadata.ts';
import { type DeleteOptions, deleteObject } from '../resource/write/delete.ts';
import { ignoreNotFound } from './ignore-not-found.ts';
import { internalWrite } from './internal-writes.ts';
import { WorkQueue } from './work-queue.ts';

/**
 * An owner that was never seen may have been misspelt, or may be about to be created elsewhere: its dependents are spared for a while.
 * Dependents of an owner whose deletion was seen go at once.
 */
const UNSEEN_OWNER_GRACE_MS = 30_000;

const FOREGROUND = 'foregroundDeletion';
const ORPHAN = 'orphan';

interface Node {
  readonly resource: Resource;
  readonly key: string;
}

const nodeId = (resource: Resource, key: string): string => `${resource.definition.group}/${resource.definition.names.plural} ${key}`;

export class GarbageCollector {
  readonly #registry: ResourceRegistry;
  readonly #queue: WorkQueue;
  /** Dependents by the uid of their owner. */
  readonly #dependents = new Map<string, Map<string, Node>>();
  /** What an object was recorded under, so that it can be taken out again. */
  readonly #owners = new Map<string, string[]>();
  /** Since when an object is known to have owners that were never seen. */
  readonly #orphaned = new Map<string, number>();
  /** Owners whose deletion was seen, as long as they have dependents. */
  readonly #deletedOwners = new Set<string>();
  readonly #watched = new Map<Resource, () => void>();
  readonly #log: Log;
  #stopListening: (() => void) | undefined;
  #stopped = false;

  constructor(registry: ResourceRegistry, log: Log) {
    this.#registry = registry;
    this.#log = log;
    this.#queue = new WorkQueue({
      work: (id) => this.#work(id),
      onError: (id, error) => log.warn({ object: id, err: error }, 'an object could not be collected yet'),
    });
  }

  async start(): Promise<void> {
    this.#stopListening = this.#registry.onChange(() => void this.#watchAll().catch((error: unknown) => this.#failed(error)));
    await this.#watchAll();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopListening?.();
    for (const unsubscribe of this.#watched.values()) unsubscribe();
    await this.#queue.close();
  }

  #failed(error: unknown): void {
    if (!this.#stopped) this.#log.error({ err: error }, 'the garbage collector could not follow a resource');
  }

  async #watchAll(): Promise<void> {
    const present = new Set(this.#registry.all());
    for (const [resource, unsubscribe] of this.#watched) {
      if (present.has(resource)) continue;
      unsubscribe();
      this.#watched.delete(resource);
    }
    for (const resource of present) if (!this.#watched.has(resource)) await this.#watchOne(resource);
  }

  async #watchOne(resource: Resource): Promise<void> {
    this.#watched.set(resource, () => {});
    await resource.cache.started();
    if (this.#stopped || !this.#watched.has(resource)) return;
    const unsubscribe = resource.cache.subscribe({
      onEvent: ({ type, object }) => (type === 'DELETED' ? this.#forget(resource, object) : this.#observe(resource, object)),
      onReset: () => {
        this.#watched.delete(resource);
        if (!this.#stopped) void this.#watchAll().catch((error: unknown) => this.#failed(error));
      },
    });
    this.#watched.set(resource, unsubscribe);
    for (const object of resource.cache.values()) this.#observe(resource, object);
  }

  #observe(resource: Resource, object: CachedObject): void {
    const { metadata, key } = object;
    const owners = metadata.ownerReferences?.map(({ uid }) => uid) ?? [];
    const id = nodeId(resource, key);
    if (owners.length > 0 || this.#owners.has(id)) this.#record(id, { resource, key }, owners);
    const waits =
      metadata.deletionTimestamp != null && metadata.finalizers?.some((finalizer) => finalizer === FOREGROUND || finalizer === ORPHAN);
    if (owners.length > 0 || waits) this.#queue.add(id);
  }

  #record(id: string, node: Node, owners: readonly string[]): void {
    for (const uid of this.#owners.get(id) ?? []) this.#removeDependent(uid, id);
    if (owners.length === 0) this.#owners.delete(id);
    else this.#owners.set(id, [...owners]);
    for (const uid of owners) {
      const dependents = this.#dependents.get(uid) ?? new Map<string, Node>();
      this.#dependents.set(uid, dependents.set(id, node));
    }
  }

  #removeDependent(uid: string, id: string): void {
    const dependents = this.#dependents.get(uid);
    dependents?.delete(id);
    if (dependents?.size !== 0) return;
    this.#dependents.delete(uid);
    this.#deletedOwners.delete(uid);
  }

  /** An object has gone: its dependents may have to follow, and owners that wait for it may go on. */
  #forget(resource: Resource, { key, metadata }: CachedObject): void {
    const id = nodeId(resource, key);
    const owners = this.#owners.get(id) ?? [];
    this.#record(id, { resource, key }, []);
    this.#orphaned.delete(id);
    const dependents = this.#dependents.get(metadata.uid ?? '');
    if (dependents !== undefined) this.#deletedOwners.add(metadata.uid!);
    for (const dependent of dependents?.keys() ?? []) this.#queue.add(dependent);
    for (const owner of metadata.ownerReferences ?? []) if (owners.includes(owner.uid)) this.#wakeOwner(metadata.namespace ?? '', owner);
  }

  #wakeOwner(namespace: string, owner: OwnerReference): void {
    const served = this.#registry.findKind(owner.apiVersion, owner.kind);
    if (served !== undefined) this.#queue.add(nodeId(served.resource, served.resource.key(namespace, owner.name)));
  }

  async #work(id: string): Promise<void> {
    const [name, key] = id.split(' ') as [string, string];
    const slash = name.indexOf('/');
    const resource = this.#registry.get(name.slice(0, slash), name.slice(slash + 1));
    if (resource === undefined) return;
    await resource.cache.started();
    const object = resource.cache.get(key);
    if (object === undefined) return;
    const { deletionTimestamp, finalizers = [] } = object.metadata;
    if (deletionTimestamp != null && finalizers.includes(ORPHAN)) await this.#orphan(resource, object);
    else if (deletionTimestamp != null && finalizers.includes(FOREGROUND)) await this.#finishForeground(resource, object);
    else if (deletionTimestamp == null) await this.#collect(resource, object);
  }

  /** Deletes an object all of whose owners have gone, and drops the references to those that have. */
  async #collect(resource: Resource, object: CachedObject): Promise<void> {
    const owners = object.metadata.ownerReferences ?? [];
    if (owners.length === 0) return;
    const states = await Promise.all(owners.map((owner) => this.#stateOf(owner, object.metadata.namespace ?? '')));
    const waiting = owners.filter((_, i) => states[i] === 'waiting');
    const gone = owners.filter((_, i) => states[i] === 'gone');
    if (gone.some(({ uid }) => !this.#deletedOwners.has(uid)) && this.#isSpared(nodeId(resource, object.key))) return;
    if (states.some((state) => state === 'present' || state === 'unknown')) {
      if (gone.length + waiting.length > 0)
        await this.#dropReferences(resource, object, new Set([...gone, ...waiting].map(({ uid }) => uid)));
      return;
    }
    const hasDependents = (this.#dependents.get(object.metadata.uid!)?.size ?? 0) > 0;
    await this.#delete(resource, object, waiting.length > 0 && hasDependents ? 'Foreground' : 'Background');
  }

  #isSpared(id: string): boolean {
    const since = this.#orphaned.get(id) ?? Date.now();
    this.#orphaned.set(id, since);
    const left = since + UNSEEN_OWNER_GRACE_MS - Date.now();
    if (left > 0) this.#queue.addLater(id, left);
    return left > 0;
  }

  /** `waiting`: the owner is being deleted and waits for its dependents. `unknown`: the kind is not served here, so nothing is done. */
  async #stateOf(owner: OwnerReference, namespace: string): Promise<'present' | 'waiting' | 'gone' | 'unknown'> {
    const served = this.#registry.findKind(owner.apiVersion, owner.kind);
    if (served === undefined) return 'unknown';
    const { resource } = served;
    await resource.cache.fresh();
    const found = resource.cache.get(resource.key(namespace, owner.name));
    if (found === undefined || found.metadata.uid !== owner.uid) return 'gone';
    const { deletionTimestamp, finalizers = [] } = found.metadata;
    return deletionTimestamp != null && finalizers.includes(FOREGROUND) ? 'waiting' : 'present';
  }

  /** The owner may go once no dependent blocks it any more. */
  async #finishForeground(resource: Resource, object: CachedObject): Promise<void> {
    const { uid } = object.metadata;
    const dependents = [...(this.#dependents.get(uid!)?.entries() ?? [])];
    const blocking = dependents.filter(([, node]) => blocksDeletion(node, uid!));
    for (const [id] of dependents) this.#queue.add(id);
    if (blocking.length === 0) await this.#removeFinalizer(resource, object, FOREGROUND);
  }

  async #orphan(resource: Resource, object: CachedObject): Promise<void> {
    const { uid } = object.metadata;
    for (const node of [...(this.#dependents.get(uid!)?.values() ?? [])]) {
      const dependent = node.resource.cache.get(node.key);
      if (dependent !== undefined) await this.#dropReferences(node.resource, dependent, new Set([uid!]));
    }
    await this.#removeFinalizer(resource, object, ORPHAN);
  }

  async #delete(resource: Resource, { metadata }: CachedObject, propagationPolicy: DeleteOptions['propagationPolicy']): Promise<void> {
    const { name = '', namespace = '' } = metadata;
    const options = {
      dryRun: false,
      gracePeriodSeconds: undefined,
      orphanDependents: undefined,
      propagationPolicy,
      uid: metadata.uid,
      resourceVersion: undefined,
    };
    try {
      await ignoreNotFound(deleteObject(internalWrite({ resource, namespace, name }), options));
    } catch (error) {
      // Another object has the name by now.
      if (!(error instanceof ApiError && error.reason === 'Conflict')) throw error;
    }
  }

  async #dropReferences(resource: Resource, object: CachedObject, uids: ReadonlySet<string>): Promise<void> {
    await this.#change(resource, object, (metadata) => {
      metadata.ownerReferences = (metadata.ownerReferences ?? []).filter(({ uid }) => !uids.has(uid));
      if (metadata.ownerReferences.length === 0) delete metadata.ownerReferences;
    });
  }

  async #removeFinalizer(resource: Resource, object: CachedObject, finalizer: string): Promise<void> {
    await this.#change(resource, object, (metadata) => {
      metadata.finalizers = (metadata.finalizers ?? []).filter((other) => other !== finalizer);
      if (metadata.finalizers.length === 0) delete metadata.finalizers;
    });
  }

  async #change(resource: Resource, { metadata }: CachedObject, change: (metadata: ObjectMeta) => void): Promise<void> {
    const { name = '', namespace = '', uid } = metadata;
    const changeThis = (live: ObjectMeta) => {
      if (live.uid === uid) change(live);
    };
    await ignoreNotFound(changeMetadata(internalWrite({ resource, namespace, name }), changeThis));
  }
}

function blocksDeletion({ resource, key }: Node, ownerUid: string): boolean {
  const owners = resource.cache.get(key)?.metadata.ownerReferences ?? [];
  return owners.some(({ uid, blockOwnerDeletion }) => uid === ownerUid && blockOwnerDeletion === true);
}
