// Reports to the watches of one process what happened: history first, in slices that let other work run, then
// live, each revision once and in order. Independent of engines: history is read through a small interface,
// and the engine announces what has become durable.
import { checkRevision, closedError, compactedError, futureError } from '../check-request.ts';
import {
  StoreError,
  type StoreEvent,
  type StoreWatch,
  type WatchBatch,
  type WatchOptions,
} from '../store.ts';

export interface WatchHistory {
  compactedRevision(): number;
  /**
   * Up to `limit` revisions in order, from `from` to `to` (both inclusive), after the compacted one. Only
   * events under `prefix` are needed.
   */
  read(from: number, to: number, limit: number, prefix: string): readonly WatchBatch[];
}

const SLICE = 256;

export interface Watcher {
  readonly options: WatchOptions;
  /** The next revision that this watcher has not received. */
  next: number;
  live: boolean;
  stopped: boolean;
}

export class WatchHub {
  readonly #history: WatchHistory;
  readonly #watchers = new Set<Watcher>();
  readonly #queue: (readonly WatchBatch[])[] = [];
  #told: number;
  #announced: number;
  #telling = false;
  #closed = false;

  constructor(history: WatchHistory, currentRevision: number) {
    this.#history = history;
    this.#told = currentRevision;
    this.#announced = currentRevision;
  }

  watch(options: WatchOptions): StoreWatch {
    const watcher: Watcher = { options, next: options.fromRevision, live: false, stopped: false };
    this.#watchers.add(watcher);
    if (this.#closed) this.#endLater(watcher, closedError());
    else if (options.fromRevision === this.#told + 1) watcher.live = true;
    else queueMicrotask(() => this.#begin(watcher));
    return { stop: () => this.#drop(watcher) };
  }

  /**
   * Batches of one or more new revisions, in order and without gaps. Returns when every live watch was
   * notified.
   */
  announce(batches: readonly WatchBatch[]): void {
    if (batches.length === 0) return;
    this.#queue.push(batches);
    this.#announced = batches.at(-1)!.revision;
    // A callback may commit again; what it adds waits until all watches were notified of what came before.
    if (this.#telling) return;
    this.#telling = true;
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) this.#tellAll(next);
    this.#telling = false;
  }

  close(): void {
    this.#closed = true;
    for (const watcher of this.#watchers) this.#end(watcher, closedError());
  }

  #tellAll(batches: readonly WatchBatch[]): void {
    this.#told = batches.at(-1)!.revision;
    for (const watcher of this.#watchers) if (watcher.live) tell(watcher, batches);
  }

  #begin(watcher: Watcher): void {
    if (watcher.stopped) return;
    const error = this.#refusal(watcher.options.fromRevision);
    if (error === undefined) this.#catchUp(watcher);
    else this.#end(watcher, error);
  }

  #refusal(from: number): StoreError | undefined {
    try {
      checkRevision(from);
    } catch (error) {
      return error as StoreError;
    }
    const compacted = this.#history.compactedRevision();
    if (from <= compacted) return compactedError(from, compacted);
    return from > this.#announced + 1 ? futureError(from, this.#announced) : undefined;
  }

  #catchUp(watcher: Watcher): void {
    if (watcher.stopped) return;
    const error = this.#tellSlice(watcher);
    if (error !== undefined) this.#end(watcher, error);
    else if (watcher.next > this.#told) watcher.live = true;
    else setImmediate(() => this.#catchUp(watcher));
  }

  #tellSlice(watcher: Watcher): StoreError | undefined {
    if (watcher.next > this.#told) return undefined;
    // Read again for every slice: history may have been compacted under a watch that is far behind.
    const compacted = this.#history.compactedRevision();
    if (watcher.next <= compacted) return compactedError(watcher.next, compacted);
    try {
      const batches = this.#history.read(watcher.next, this.#told, SLICE, watcher.options.prefix);
      // The revision that an empty store starts with has no record, so there may be none to report.
      tell(watcher, batches.length > 0 ? batches : [{ revision: this.#told, events: [] }]);
      return undefined;
    } catch (error) {
      return error instanceof StoreError
        ? error
        : new StoreError('unavailable', 'history cannot be read', { cause: error });
    }
  }

  #endLater(watcher: Watcher, error: StoreError): void {
    queueMicrotask(() => this.#end(watcher, error));
  }

  #end(watcher: Watcher, error: StoreError): void {
    if (watcher.stopped) return;
    this.#drop(watcher);
    guarded(() => watcher.options.onEnd(error));
  }

  #drop(watcher: Watcher): void {
    watcher.stopped = true;
    this.#watchers.delete(watcher);
  }
}

/**
 * The watcher's events, one batch per revision; and at the end, if the last revision had none, the progress.
 */
export function tell(watcher: Watcher, batches: readonly WatchBatch[]): void {
  const { prefix, onBatch } = watcher.options;
  for (const batch of batches) {
    if (watcher.stopped) return;
    if (batch.revision < watcher.next) continue;
    const events = eventsWithin(batch.events, prefix);
    if (events.length > 0) {
      watcher.next = batch.revision + 1;
      guarded(() => onBatch(events === batch.events ? batch : { revision: batch.revision, events }));
    }
  }
  const { revision } = batches.at(-1)!;
  if (watcher.stopped || watcher.next > revision) return;
  watcher.next = revision + 1;
  guarded(() => onBatch({ revision, events: [] }));
}

function eventsWithin(events: readonly StoreEvent[], prefix: string): readonly StoreEvent[] {
  if (events.length === 1) return events[0]!.key.startsWith(prefix) ? events : NONE;
  return events.every((event) => event.key.startsWith(prefix))
    ? events
    : events.filter((event) => event.key.startsWith(prefix));
}

const NONE: readonly StoreEvent[] = [];

// A callback that throws violates its contract. That must be loud, yet neither fail the commit nor affect the
// other watches.
export function guarded(call: () => void): void {
  try {
    call();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
