// A watch of a range of keys that survives its connection: it resumes where it was, with any member that
// answers, so that every revision comes once and in order. It ends only if its position has been compacted.
import type { StoreEvent, WatchBatch } from '../../store.ts';
import { storeErrorOf } from './errors.ts';
import type { EtcdClient } from './etcd-client.ts';
import type { Call } from './grpc/call.ts';
import { GRPC, GrpcError } from './grpc/status.ts';
import type { KeyRange } from './messages/kv.ts';
import { decodeWatch, encodeWatchCreate, encodeWatchProgress, type WatchResponse } from './messages/watch.ts';

export interface ResumingWatchOptions {
  readonly client: EtcdClient;
  readonly range: KeyRange;
  readonly fromRevision: number;
  /** Whole revisions, in order; the last may have no events, and then reports progress. */
  readonly onBatches: (batches: readonly WatchBatch[]) => void;
  /** History up to this revision is compacted: nothing more will come. */
  readonly onCompacted: (compactedRevision: number) => void;
  /** Called when a connection was lost, with the reason; it is retried. */
  readonly onInterrupted?: (error: Error) => void;
  /** Called when etcd has accepted the watch, for the first time or again. */
  readonly onCreated?: () => void;
}

const MIN_PAUSE_MS = 20;
const MAX_PAUSE_MS = 500;

export class ResumingWatch {
  readonly #options: ResumingWatchOptions;
  /** The next revision that was not reported. */
  #next: number;
  /** Events of a revision that may not be complete yet. */
  #held: StoreEvent[] = [];
  #call: Call | undefined;
  #pauseMs = MIN_PAUSE_MS;
  #stopped = false;

  constructor(options: ResumingWatchOptions) {
    this.#options = options;
    this.#next = options.fromRevision;
    void this.#open();
  }

  /** Requests progress from etcd, which answers when it has nothing older to send. */
  askProgress(): void {
    this.#call?.send(encodeWatchProgress());
  }

  /** Drops the connection's stream and opens another. */
  reopen(): void {
    this.#call?.cancel();
  }

  stop(): void {
    this.#stopped = true;
    this.#call?.cancel();
  }

  async #open(): Promise<void> {
    this.#held = [];
    try {
      const call = await this.#options.client.watch({
        onMessage: (message) => this.#take(decodeWatch(message, this.#options.client.keyOffset)),
        onEnd: (error) => this.#interrupted(error ?? new GrpcError(GRPC.unavailable, 'etcd ended the watch')),
      });
      this.#call = call;
      if (this.#stopped) call.cancel();
      else call.send(encodeWatchCreate(this.#options.range, this.#next));
    } catch (error) {
      this.#interrupted(error);
    }
  }

  #interrupted(error: unknown): void {
    this.#call = undefined;
    if (this.#stopped) return;
    this.#options.onInterrupted?.(storeErrorOf(error));
    setTimeout(() => void (this.#stopped || this.#open()), this.#pauseMs).unref();
    this.#pauseMs = Math.min(this.#pauseMs * 2, MAX_PAUSE_MS);
  }

  #take(response: WatchResponse): void {
    if (this.#stopped) return;
    if (response.compactRevision > 0) {
      this.stop();
      this.#options.onCompacted(response.compactRevision);
    } else if (response.canceled) {
      this.#call?.cancel(
        new GrpcError(GRPC.unavailable, `etcd canceled the watch: ${response.cancelReason}`),
      );
    } else this.#accept(response);
  }

  #accept(response: WatchResponse): void {
    this.#pauseMs = MIN_PAUSE_MS;
    // "created" comes with the revision of the member, before any events: it says nothing about this watch's
    // progress.
    if (response.created) this.#options.onCreated?.();
    else if (response.events.length > 0 || this.#held.length > 0) this.#deliver(response);
    else this.#advance(response.revision);
  }

  #deliver({ events, fragment }: WatchResponse): void {
    const all = this.#held.length > 0 ? [...this.#held, ...events] : events;
    const batches = batchesOf(all, this.#next);
    this.#held = fragment ? [...(batches.pop()?.events ?? [])] : [];
    const last = batches.at(-1);
    if (last === undefined) return;
    this.#next = last.revision + 1;
    this.#options.onBatches(batches);
  }

  #advance(revision: number): void {
    if (revision < this.#next) return;
    this.#next = revision + 1;
    this.#options.onBatches([{ revision, events: [] }]);
  }
}

/** Events of one revision together; those before `from` were reported already. */
function batchesOf(events: readonly StoreEvent[], from: number): WatchBatch[] {
  const batches: { revision: number; events: StoreEvent[] }[] = [];
  for (const event of events) {
    if (event.revision < from) continue;
    const last = batches.at(-1);
    if (last?.revision === event.revision) last.events.push(event);
    else batches.push({ revision: event.revision, events: [event] });
  }
  return batches;
}
