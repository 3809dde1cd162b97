// The newest batches of the feed, bounded by number and bytes: a watch that begins just before now need not
// ask etcd, which takes up to 100 ms for watches that begin in the past.
import type { WatchBatch } from '../../store.ts';

const MAX_BATCHES = 2_000;
const MAX_BYTES = 8 * 1024 * 1024;

export class RecentBatches {
  #batches: WatchBatch[] = [];
  #first = 0;
  #bytes = 0;
  #start: number;

  /** Everything after `start` will be here. */
  constructor(start: number) {
    this.#start = start;
  }

  push(batches: readonly WatchBatch[]): void {
    for (const batch of batches) {
      if (batch.events.length === 0) continue;
      this.#batches.push(batch);
      this.#bytes += bytesOf(batch);
    }
    while (this.#batches.length - this.#first > MAX_BATCHES || this.#bytes > MAX_BYTES) this.#drop();
    if (this.#first > MAX_BATCHES) this.#compress();
  }

  /** All batches from a revision on, or undefined if some of them are missing. */
  from(revision: number): WatchBatch[] | undefined {
    if (revision <= this.#start) return undefined;
    return this.#batches.slice(this.#first).filter((batch) => batch.revision >= revision);
  }

  forgetUpTo(revision: number): void {
    while (this.#first < this.#batches.length && this.#batches[this.#first]!.revision <= revision)
      this.#drop();
    this.#start = Math.max(this.#start, revision);
  }

  reset(start: number): void {
    this.#batches = [];
    this.#first = 0;
    this.#bytes = 0;
    this.#start = start;
  }

  #drop(): void {
    const batch = this.#batches[this.#first++]!;
    this.#bytes -= bytesOf(batch);
    this.#start = batch.revision;
  }

  #compress(): void {
    this.#batches = this.#batches.slice(this.#first);
    this.#first = 0;
  }
}

const bytesOf = ({ events }: WatchBatch): number =>
  events.reduce(
    (sum, { entry, previous }) => sum + (entry?.value.length ?? 0) + (previous?.value.length ?? 0),
    0,
  );
