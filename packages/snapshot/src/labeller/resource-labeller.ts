// Maintains the labels of one resource: an informer reports every object, a queue processes them, conflicts
// are resolved by reading again.
import { Informer, type KubeApi, objectKey, type ResourceRef } from '@instar/client';
import { ApiError, type KubeObject } from '@instar/machinery';
import { type Clock, type Log, sleep, WorkQueue } from '@instar/serving';
import { SNAPSHOT_GROUP, type SnapshotResource, type SnapshotVersion } from '../resources.ts';
import { servedVersion } from '../served-version.ts';
import { judge, labelPatch } from './label-change.ts';
import type { LabellerMetrics } from './labeller-metrics.ts';

export interface ResourceLabellerOptions {
  readonly resyncMs: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: LabellerMetrics;
  /** The count of invalid objects, or the time of the last full check, has changed. */
  readonly onChange: () => void;
}

/** How long to wait for a definition that is not installed. */
const RECHECK_MS = 10_000;
const MAX_CONFLICTS = 5;
const WORKERS = 4;
const MIN_RETRY_MS = 5;
const MAX_RETRY_MS = 300_000;
export const LABELLER_NAME = 'instar-snapshot-labeller';

export class ResourceLabeller {
  readonly #api: KubeApi;
  readonly #resource: SnapshotResource;
  readonly #options: ResourceLabellerOptions;
  readonly #invalid = new Set<string>();
  /** Reported by the informer, and not checked since. */
  readonly #unchecked = new Set<string>();
  /** The first full check, or that of a resync, is in progress. */
  #isFullCheck = true;
  #checkedAt: number | undefined;

  constructor(api: KubeApi, resource: SnapshotResource, options: ResourceLabellerOptions) {
    this.#api = api;
    this.#resource = resource;
    this.#options = options;
  }

  get invalidCount(): number {
    return this.#invalid.size;
  }

  /** When every object had been checked; undefined before that. */
  get checkedAt(): number | undefined {
    return this.#checkedAt;
  }

  /** Runs until the signal aborts. If the version is removed, as in a rollback, it continues with another. */
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
        await sleep(clock, RECHECK_MS, signal).catch(() => undefined);
      }
    }
  }

  async #servedVersion(signal: AbortSignal): Promise<SnapshotVersion | undefined> {
    try {
      return await servedVersion(this.#api, this.#resource, { signal });
    } catch (error) {
      if (!signal.aborted) this.#options.log.warn({ err: error }, 'cannot read discovery');
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
    const onError = (error: unknown): void => this.#informerFailed(error, inner);
    const informer = new Informer(this.#api, { ref, resyncMs, clock, onError, transform: essentials });
    const queue = new WorkQueue({
      clock,
      concurrency: WORKERS,
      minDelayMs: MIN_RETRY_MS,
      maxDelayMs: MAX_RETRY_MS,
      work: (key) => this.#reconcile(key, ref, informer, inner.signal),
      onError: (key, error) => this.#workFailed(key, error),
    });
    this.#feed(informer, queue);
    void informer.whenSynced().then(() => this.#noteIfChecked(informer));
    await informer.run(inner.signal);
    await queue.close();
    outer.removeEventListener('abort', onAbort);
  }

  #feed(informer: Informer, queue: WorkQueue): void {
    this.#invalid.clear();
    this.#unchecked.clear();
    this.#isFullCheck = true;
    const enqueue = (object: KubeObject): void => {
      this.#unchecked.add(objectKey(object));
      queue.add(objectKey(object));
    };
    const update = (old: KubeObject, object: KubeObject): void => {
      if (old === object) this.#isFullCheck = true;
      enqueue(object);
    };
    informer.addHandlers({ add: enqueue, update, delete: enqueue });
  }

  #informerFailed(error: unknown, inner: AbortController): void {
    this.#options.log.warn(
      { err: error, resource: this.#resource.resource },
      'the informer had to start over',
    );
    if (error instanceof ApiError && error.code === 404) inner.abort();
  }

  #workFailed(key: string, error: unknown): void {
    const { metrics, log } = this.#options;
    metrics.failed(this.#resource.resource);
    log.warn({ err: error, resource: this.#resource.resource, object: key }, 'cannot label; will retry');
  }

  async #reconcile(key: string, ref: ResourceRef, informer: Informer, signal: AbortSignal): Promise<void> {
    const known = informer.get(key);
    this.#note(key, known !== undefined && judge(this.#resource, known).invalid, informer);
    for (let object = known, tries = 0; object !== undefined; tries++) {
      const { invalid, action } = judge(this.#resource, object);
      this.#note(key, invalid, informer);
      if (action === undefined) return;
      const at: ResourceRef = { ...ref, ...namespaceOf(object), name: object.metadata.name! };
      // Against writers that never stop, a conditional patch would never succeed; what they change is judged
      // again anyway.
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
    if (!this.#isFullCheck || !informer.hasSynced || this.#unchecked.size > 0) return;
    this.#isFullCheck = false;
    this.#checkedAt = this.#options.clock.now();
    this.#options.onChange();
  }
}

/** Nothing else is read, and clusters have many snapshots. */
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
