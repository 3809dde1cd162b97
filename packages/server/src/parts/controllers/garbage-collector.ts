// Deletes objects whose owners are deleted. Owners that are deleted in the foreground wait for their
// dependents; owners that are deleted with Orphan release them. It follows every resource and works on one
// object at a time, but only while it knows all objects: an owner must not be treated as one without
// dependents only because these have not been read yet.
import { ApiError, type ObjectMeta, type OwnerReference } from '@instar/machinery';
import { type Log, WorkQueue } from '@instar/serving';
import type { CachedObject } from '../../objects/cached-object.ts';
import type { ResourceRegistry } from '../../objects/registry.ts';
import type { Resource } from '../../objects/resource.ts';
import type { CacheEvent } from '../../objects/watch/cache-event.ts';
import { changeMetadata } from '../../objects/write/change-metadata.ts';
import type { DeleteOptions } from '../../objects/write/delete.ts';
import { ignoreNotFound } from '../../objects/write/ignore-not-found.ts';
import { CacheFollower } from './cache-follower.ts';
import { deleteInternally } from './internal-deletes.ts';
import { internalWrite } from './internal-writes.ts';
import { type Dependent, OwnershipGraph } from './ownership-graph.ts';

/**
 * An owner that was never seen may have been misspelled, or may be about to be created: its dependents have a
 * grace period. Dependents of an owner whose deletion was seen are deleted immediately.
 */
const UNSEEN_OWNER_GRACE_MS = 30_000;

const FOREGROUND = 'foregroundDeletion';
const ORPHAN = 'orphan';

export class GarbageCollector {
  readonly #registry: ResourceRegistry;
  readonly #log: Log;
  readonly #queue: WorkQueue;
  readonly #graph = new OwnershipGraph();
  /** Since when an object is known to have owners that were never seen, in milliseconds. */
  readonly #graceStarts = new Map<string, number>();
  readonly #followers = new Map<Resource, CacheFollower>();
  /** Resources whose objects may be missing from the graph. */
  readonly #unread = new Set<Resource>();
  #stopListening: (() => void) | undefined;

  constructor(registry: ResourceRegistry, log: Log) {
    this.#registry = registry;
    this.#log = log;
    this.#queue = new WorkQueue({
      work: (id) => this.#work(id),
      onError: (id, error) => log.warn({ object: id, err: error }, 'an object could not be collected yet'),
    });
  }

  async start(): Promise<void> {
    this.#stopListening = this.#registry.onChange(() => void this.#followAll());
    await this.#followAll();
  }

  async stop(): Promise<void> {
    this.#stopListening?.();
    for (const follower of this.#followers.values()) follower.stop();
    await this.#queue.close();
  }

  async #followAll(): Promise<void> {
    const present = new Set(this.#registry.all());
    for (const [resource, follower] of this.#followers) {
      if (present.has(resource)) continue;
      follower.stop();
      this.#followers.delete(resource);
      this.#graph.deleteMissing(resource, new Set());
      this.#markRead(resource);
    }
    const added = [...present].filter((resource) => !this.#followers.has(resource));
    await Promise.all(added.map((resource) => this.#follow(resource)));
  }

  async #follow(resource: Resource): Promise<void> {
    let isFirst = true;
    const follower = new CacheFollower(resource.cache, {
      onState: (objects) => {
        const keys = new Set<string>();
        for (const object of objects) {
          this.#observe(resource, object);
          if (!isFirst) keys.add(object.key);
        }
        if (!isFirst) this.#graph.deleteMissing(resource, keys);
        isFirst = false;
        this.#markRead(resource);
      },
      onEvent: (event) => this.#onEvent(resource, event),
      onLost: () => this.#markUnread(resource),
      onError: (error) =>
        this.#log.error(
          { err: error, resource: resource.prefix },
          'garbage collection is paused: a resource cannot be read',
        ),
    });
    this.#followers.set(resource, follower);
    this.#markUnread(resource);
    await follower.start();
  }

  #markUnread(resource: Resource): void {
    this.#unread.add(resource);
    this.#queue.pause();
  }

  #markRead(resource: Resource): void {
    if (this.#unread.delete(resource) && this.#unread.size === 0) this.#queue.resume();
  }

  #onEvent(resource: Resource, { type, object, previous }: CacheEvent): void {
    if (type === 'DELETED') this.#onDeleted(resource, object);
    else this.#observe(resource, object);
    if (previous?.mayHave('ownerReferences'))
      this.#wakeReleasedOwners(previous.metadata, type === 'DELETED' ? undefined : object.metadata);
  }

  #observe(resource: Resource, object: CachedObject): void {
    const id = this.#graph.idOf(resource, object.key);
    // Most objects neither have an owner nor are being deleted: that much is known without parsing them.
    const mayMatter =
      object.mayHave('ownerReferences') || object.mayHave('deletionTimestamp') || this.#graph.has(id);
    if (!mayMatter) return;
    const { ownerReferences = [], deletionTimestamp, finalizers = [] } = object.metadata;
    this.#graph.record(
      { id, resource, key: object.key },
      ownerReferences.map(({ uid }) => uid),
    );
    const hasToFinish =
      deletionTimestamp != null && (finalizers.includes(FOREGROUND) || finalizers.includes(ORPHAN));
    if (ownerReferences.length > 0 || hasToFinish) this.#queue.add(id);
  }

  /** The dependents of a deleted object may have to be deleted too. */
  #onDeleted(resource: Resource, object: CachedObject): void {
    const id = this.#graph.idOf(resource, object.key);
    this.#graph.delete(id);
    this.#graceStarts.delete(id);
    if (this.#graph.isEmpty) return;
    for (const dependent of this.#graph.recordDeletion(object.metadata.uid ?? ''))
      this.#queue.add(dependent.id);
  }

  /**
   * Owners that wait for a dependent may continue when it is deleted, no longer refers to them, or no longer
   * blocks their deletion.
   */
  #wakeReleasedOwners(
    { ownerReferences = [], namespace = '' }: ObjectMeta,
    now: ObjectMeta | undefined,
  ): void {
    for (const owner of ownerReferences) {
      const kept = now?.ownerReferences?.find(({ uid }) => uid === owner.uid);
      if (kept !== undefined && kept.blockOwnerDeletion === owner.blockOwnerDeletion) continue;
      const found = this.#ownerResource(owner, namespace);
      if (found !== undefined) this.#queue.add(this.#graph.idOf(found, found.key(namespace, owner.name)));
    }
  }

  /**
   * Undefined if the owner cannot be determined: the kind is not served here, or a cluster-scoped object
   * names a namespaced owner.
   */
  #ownerResource(owner: OwnerReference, namespace: string): Resource | undefined {
    const resource = this.#registry.findKind(owner.apiVersion, owner.kind)?.resource;
    return resource?.definition.namespaced && namespace === '' ? undefined : resource;
  }

  async #work(id: string): Promise<void> {
    const { group, plural, key } = this.#graph.parseId(id);
    const resource = this.#registry.get(group, plural);
    if (resource === undefined) return;
    await resource.cache.waitUntilStarted();
    const object = resource.cache.get(key);
    if (object === undefined) return;
    const { deletionTimestamp, finalizers = [] } = object.metadata;
    if (deletionTimestamp == null) await this.#collect(id, resource, object);
    else if (finalizers.includes(ORPHAN)) await this.#orphan(resource, object);
    else if (finalizers.includes(FOREGROUND)) await this.#finishForeground(resource, object);
  }

  /** Deletes an object all of whose owners are deleted, or else removes its references to those that are. */
  async #collect(id: string, resource: Resource, object: CachedObject): Promise<void> {
    const owners = object.metadata.ownerReferences ?? [];
    if (owners.length === 0) return;
    const states = await Promise.all(
      owners.map((owner) => this.#stateOf(owner, object.metadata.namespace ?? '')),
    );
    const uidsIn = (state: OwnerState) => owners.filter((_, i) => states[i] === state).map(({ uid }) => uid);
    const [absent, waiting] = [uidsIn('absent'), uidsIn('waiting')];
    if (absent.every((uid) => this.#graph.hasSeenDeletionOf(uid))) this.#graceStarts.delete(id);
    else if (this.#isInGracePeriod(id)) return;
    if (absent.length + waiting.length === 0) return;
    if (absent.length + waiting.length < owners.length) {
      await this.#dropReferences(resource, object, new Set([...absent, ...waiting]));
      return;
    }
    const dependents = waiting.length > 0 ? this.#graph.dependentsOf(object.metadata.uid!) : [];
    // Where owners wait for each other in a circle, one of them must not be waited for.
    if (dependents.some(isWaiting) && owners.some(({ blockOwnerDeletion }) => blockOwnerDeletion === true)) {
      await this.#unblockOwners(resource, object);
      return;
    }
    await this.#delete(resource, object, dependents.length > 0 ? 'Foreground' : 'Background');
  }

  /** Its event queues it again. */
  async #unblockOwners(resource: Resource, object: CachedObject): Promise<void> {
    await this.#change(resource, object, (metadata) => {
      for (const owner of metadata.ownerReferences ?? []) owner.blockOwnerDeletion = false;
    });
  }

  #isInGracePeriod(id: string): boolean {
    const since = this.#graceStarts.get(id) ?? Date.now();
    this.#graceStarts.set(id, since);
    const left = since + UNSEEN_OWNER_GRACE_MS - Date.now();
    if (left > 0) this.#queue.addLater(id, left);
    return left > 0;
  }

  async #stateOf(owner: OwnerReference, namespace: string): Promise<OwnerState> {
    const resource = this.#ownerResource(owner, namespace);
    if (resource === undefined) return 'unknown';
    await resource.cache.waitUntilFresh();
    const found = resource.cache.get(resource.key(namespace, owner.name));
    if (found === undefined || found.metadata.uid !== owner.uid) return 'absent';
    const { deletionTimestamp, finalizers = [] } = found.metadata;
    return deletionTimestamp != null && finalizers.includes(FOREGROUND) ? 'waiting' : 'present';
  }

  /** The owner can be deleted when no dependent blocks it. */
  async #finishForeground(resource: Resource, object: CachedObject): Promise<void> {
    const uid = object.metadata.uid!;
    const own = this.#graph.idOf(resource, object.key);
    const dependents = this.#graph.dependentsOf(uid).filter(({ id }) => id !== own);
    // Those that wait as well are queued by their own events: in a circle, this would never end.
    for (const dependent of dependents) if (!isWaiting(dependent)) this.#queue.add(dependent.id);
    if (!dependents.some((dependent) => blocksDeletion(dependent, uid)))
      await this.#removeFinalizer(resource, object, FOREGROUND);
  }

  async #orphan(resource: Resource, object: CachedObject): Promise<void> {
    const uid = object.metadata.uid!;
    for (const node of this.#graph.dependentsOf(uid)) {
      const dependent = node.resource.cache.get(node.key);
      if (dependent !== undefined) await this.#dropReferences(node.resource, dependent, new Set([uid]));
    }
    await this.#removeFinalizer(resource, object, ORPHAN);
  }

  /** Only if it has not changed since its owners were looked at: otherwise its event queues it again. */
  async #delete(
    resource: Resource,
    object: CachedObject,
    propagationPolicy: DeleteOptions['propagationPolicy'],
  ): Promise<void> {
    const preconditions = { uid: object.metadata.uid, resourceVersion: String(object.revision) };
    try {
      await deleteInternally(resource, object.metadata, { propagationPolicy, ...preconditions });
    } catch (error) {
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

  async #change(
    resource: Resource,
    { metadata }: CachedObject,
    change: (metadata: ObjectMeta) => void,
  ): Promise<void> {
    const { name = '', namespace = '', uid } = metadata;
    const changeThis = (live: ObjectMeta) => {
      if (live.uid === uid) change(live);
    };
    await ignoreNotFound(changeMetadata(internalWrite({ resource, namespace, name }), changeThis));
  }
}

/**
 * `waiting`: the owner is being deleted and waits for its dependents. `unknown`: it cannot be looked up, so
 * nothing is done.
 */
type OwnerState = 'present' | 'waiting' | 'absent' | 'unknown';

/** It is being deleted, and waits for its own dependents. */
function isWaiting({ resource, key }: Dependent): boolean {
  const { deletionTimestamp, finalizers = [] } = resource.cache.get(key)?.metadata ?? {};
  return deletionTimestamp != null && finalizers.includes(FOREGROUND);
}

function blocksDeletion({ resource, key }: Dependent, ownerUid: string): boolean {
  const owners = resource.cache.get(key)?.metadata.ownerReferences ?? [];
  return owners.some(({ uid, blockOwnerDeletion }) => uid === ownerUid && blockOwnerDeletion === true);
}
