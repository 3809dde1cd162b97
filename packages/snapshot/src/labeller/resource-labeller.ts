// Keeps the labels of one resource right: an informer tells of every object, a queue works through them,
// conflicts are resolved by looking again.
import {
  type Clock,
  Informer,
  type KubeApi,
  keyOf,
  type ResourceRef,
  sleep,
  WorkQueue,
  workOn,
} from '@instar/client';
import { ApiError, type KubeObject } from '@instar/machinery';
import type { Log } from '@instar/serving';
import { SNAPSHOT_GROUP, type SnapshotResource, type SnapshotVersion } from '../resources.ts';
import { servedVersion } from '../served-version.ts';
import { judge, labelPatch } from './label-change.ts';
import type { LabellerMetrics } from './labeller-metrics.ts';

export interface ResourceLabellerOptions {
  readonly resyncMs: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: LabellerMetrics;
  /** The count of invalid objects, or the time of the last full check, is another. */
  readonly onChange: () => void;
}

/** How long to wait for a definition that is not installed. */
const LOOK_AGAIN_MS = 10_000;
const MAX_CONFLICTS = 5;
const WORKERS = 4;
const MAX_RETRY_MS = 300_000;
export const LABELLER_NAME = 'instar-snapshot-labeller';

export class ResourceLabeller {
  readonly #api: KubeApi;
  readonly #resource: SnapshotResource;
  readonly #options: ResourceLabellerOptions;
  readonly #invalid = new Set<string>();
  /** Told by the informer, and not looked at since. */
  readonly #unchecked = new Set<string>();
  /** The first look at everything, or one of a resync, is under way. */
  #fullLook = true;
  #checkedAt: number | undefined;

  constructor(api: KubeApi, resource: SnapshotResource, options: ResourceLabellerOptions) {
    this.#api = api;
    this.#resource = resource;
    this.#options = options;
  }

  get invalidCount(): number {
    return this.#invalid.size;
  }

  /** When every object had been looked at; undefined before that. */
  get checkedAt(): number | undefined {
    return this.#checkedAt;
  }

  /** Until the signal aborts. A version that goes away, as in a rollback, is followed by another. */
  async run(signal: AbortSignal): Promise<void> {
    const { log, clock } = this.#options;
    let said = false;
    while (!signal.aborted) {
      const version = await this.#servedVersion(signal);
      if (version !== undefined) {
        said = false;
        await this.#follow(version, signal);
      } else if (!signal.aborted) {
        if (!said)
          log.warn({ resource: this.#resource.resource }, 'the resource is not served; waiting until it is');
        said = true;
        await sleep(clock, LOOK_AGAIN_MS, signal).catch(() => undefined);
      }
    }
  }

  async #servedVersion(signal: AbortSignal): Promise<SnapshotVersion | undefined> {
    try {
      return await servedVersion(this.#api, this.#resource, { signal });
    } catch (error) {
      if (!signal.aborted) this.#options.log.warn({ err: error }, 'cannot read what the server serves');
      return undefined;
    }
  }

  async #follow(version: SnapshotVersion, outer: AbortSignal): Promise<void> {
    const ref = { group: SNAPSHOT_GROUP, version, resource: this.#resource.resource };
    const { resyncMs, clock, log } = this.#options;
    log.info({ resource: ref.resource, version }, 'following');
    const inner = new AbortController();
    const onAbort = (): void => inner.abort();
    if (outer.aborted) onAbort();
    else outer.addEventListener('abort', onAbort, { once: true });
    const queue = new WorkQueue<string>({ clock, maxRetryMs: MAX_RETRY_MS });
    const onError = (error: unknown): void => this.#informerFailed(error, inner);
    const informer = new Informer(this.#api, { ref, resyncMs, clock, onError, transform: essentials });
    this.#feed(informer, queue);
    void informer.whenSynced().then(() => this.#noteIfChecked(informer));
    const working = workOn(queue, {
      workers: WORKERS,
      work: (key) => this.#reconcile(key, ref, informer, inner.signal),
      onFailure: (key, error) => this.#workFailed(key, error),
    });
    await informer.run(inner.signal);
    queue.shutDown();
    await working;
    outer.removeEventListener('abort', onAbort);
  }

  #feed(informer: Informer, queue: WorkQueue<string>): void {
    this.#invalid.clear();
    this.#unchecked.clear();
    this.#fullLook = true;
    const enqueue = (object: KubeObject): void => {
      this.#unchecked.add(keyOf(object));
      queue.add(keyOf(object));
    };
    const update = (old: KubeObject, object: KubeObject): void => {
      if (old === object) this.#fullLook = true;
      enqueue(object);
    };
    informer.addHandlers({ add: enqueue, update, delete: enqueue });
  }

  #informerFailed(error: unknown, inner: AbortController): void {
    this.#options.log.warn(
      { err: error, resource: this.#resource.resource },
      'the informer had to start anew',
    );
    if (error instanceof ApiError && error.code === 404) inner.abort();
  }

  #workFailed(key: string, error: unknown): void {
    const { metrics, log } = this.#options;
    metrics.failed(this.#resource.resource);
    log.warn({ err: error, resource: this.#resource.resource, object: key }, 'cannot label; will try again');
  }

  async #reconcile(key: string, ref: ResourceRef, informer: Informer, signal: AbortSignal): Promise<void> {
    const known = informer.get(key);
    this.#note(key, known !== undefined && judge(this.#resource, known).invalid, informer);
    for (let object = known, tries = 0; object !== undefined; tries++) {
      const { invalid, action } = judge(this.#resource, object);
      this.#note(key, invalid, informer);
      if (action === undefined) return;
      const at: ResourceRef = { ...ref, ...namespaceOf(object), name: object.metadata.name! };
      // Against others that never stop writing the guard would never hold; what they change is judged again
      // anyway.
      const patch = labelPatch(this.#resource, object, action, tries < MAX_CONFLICTS);
      if ((await this.#write(at, patch, action, signal)) !== 'conflict') return;
      object = await this.#api.get(at, { signal }).catch(goneAsUndefined);
    }
  }

  async #write(
    at: ResourceRef,
    patch: object,
    action: 'add' | 'remove',
    signal: AbortSignal,
  ): Promise<'done' | 'conflict'> {
    const { metrics, log } = this.#options;
    try {
      await this.#api.patch(at, patch, { type: 'merge', fieldManager: LABELLER_NAME, signal });
    } catch (error) {
      if (error instanceof ApiError && error.code === 409) return 'conflict';
      if (error instanceof ApiError && error.code === 404) return 'done';
      throw error;
    }
    metrics.changed(at.resource, action);
    const { resource, namespace, name } = at;
    log.info(
      { resource, namespace, name },
      action === 'add' ? 'labeled as invalid' : 'valid now, label removed',
    );
    return 'done';
  }

  #note(key: string, invalid: boolean, informer: Informer): void {
    const { metrics, onChange } = this.#options;
    const changed = invalid !== this.#invalid.has(key);
    if (invalid) this.#invalid.add(key);
    else this.#invalid.delete(key);
    metrics.invalid(this.#resource.resource, this.#invalid.size);
    if (changed) onChange();
    if (this.#unchecked.delete(key)) this.#noteIfChecked(informer);
  }

  #noteIfChecked(informer: Informer): void {
    if (!this.#fullLook || !informer.hasSynced || this.#unchecked.size > 0) return;
    this.#fullLook = false;
    this.#checkedAt = this.#options.clock.now();
    this.#options.onChange();
  }
}

/** Nothing else is looked at, and clusters have many snapshots. */
function essentials({ apiVersion, kind, metadata, spec }: KubeObject): KubeObject {
  const { name, namespace, uid, resourceVersion, labels } = metadata;
  const kept = { name, namespace, uid, resourceVersion, labels } as KubeObject['metadata'];
  return { apiVersion, kind, metadata: kept, spec };
}

const namespaceOf = ({ metadata: { namespace } }: KubeObject): { namespace?: string } =>
  namespace === undefined ? {} : { namespace };

function goneAsUndefined(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.code !== 404) throw error;
}
