// The newest events of a resource, bounded by number and by bytes. Older ones are still in the store's
// history.
import type { CacheEvent } from './cache-event.ts';

export class EventLog {
  readonly #maxEvents: number;
  readonly #maxBytes: number;
  #events: (CacheEvent | undefined)[] = [];
  /** Index of the oldest event; the array is trimmed now and then rather than on every push. */
  #first = 0;
  #bytes = 0;
  #start = 0;

  constructor(maxEvents: number, maxBytes: number) {
    this.#maxEvents = maxEvents;
    this.#maxBytes = maxBytes;
  }

  /** Every event after this revision is in the log. */
  get start(): number {
    return this.#start;
  }

  reset(start: number): void {
    this.#events = [];
    this.#first = 0;
    this.#bytes = 0;
    this.#start = start;
  }

  push(event: CacheEvent): void {
    this.#events.push(event);
    this.#bytes += bytesOf(event);
    while (
      this.#events.length - this.#first > this.#maxEvents ||
      (this.#bytes > this.#maxBytes && this.#first < this.#events.length - 1)
    )
      this.#drop();
    if (this.#first > 64 && this.#first > this.#events.length / 2) {
      this.#events = this.#events.slice(this.#first);
      this.#first = 0;
    }
  }

  /** The events after `revision`, or undefined if some of them have been dropped. */
  after(revision: number): CacheEvent[] | undefined {
    if (revision < this.#start) return undefined;
    let low = this.#first;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#events[middle]!.revision <= revision) low = middle + 1;
      else high = middle;
    }
    return this.#events.slice(low) as CacheEvent[];
  }

  #drop(): void {
    const event = this.#events[this.#first]!;
    // The slot stays for a while; its event must not stay in memory.
    this.#events[this.#first++] = undefined;
    this.#bytes -= bytesOf(event);
    this.#start = event.revision;
  }
}

/** An event also keeps the previous state in memory. */
function bytesOf({ object, previous }: CacheEvent): number {
  return object.raw.byteLength + (previous?.raw.byteLength ?? 0);
}
