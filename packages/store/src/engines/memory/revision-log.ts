// What happened at each revision of the history: one record per revision, without gaps, oldest dropped first.
import type { StoreEvent, WatchBatch } from '../../store.ts';

export interface LogRecord extends WatchBatch {
  readonly time: number;
  /** Bytes of superseded values that are kept because of this record. */
  readonly bytes: number;
}

export class RevisionLog {
  #records: LogRecord[] = [];
  #head = 0;
  #bytes = 0;

  get length(): number {
    return this.#records.length - this.#head;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get first(): LogRecord | undefined {
    return this.#records[this.#head];
  }

  append(revision: number, events: readonly StoreEvent[], time: number): LogRecord {
    const bytes = events.reduce((sum, event) => sum + (event.previous?.value.length ?? 0), 0);
    const record = { revision, events, time, bytes };
    this.#records.push(record);
    this.#bytes += bytes;
    return record;
  }

  shift(): LogRecord | undefined {
    const record = this.first;
    if (record === undefined) return undefined;
    this.#head++;
    this.#bytes -= record.bytes;
    // Moving the rest down now and then keeps the cost of a shift constant on average.
    if (this.#head > 1024 && this.#head * 2 > this.#records.length) {
      this.#records = this.#records.slice(this.#head);
      this.#head = 0;
    }
    return record;
  }

  read(from: number, to: number, limit: number): readonly LogRecord[] {
    const first = this.first?.revision;
    if (first === undefined) return [];
    const start = this.#head + Math.max(from - first, 0);
    const end = Math.min(this.#head + (to - first) + 1, start + limit);
    return this.#records.slice(start, Math.max(start, end));
  }

  /** The newest revision that happened before `time`, if any. */
  newestBefore(time: number): number | undefined {
    let low = this.#head;
    let high = this.#records.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#records[middle]!.time < time) low = middle + 1;
      else high = middle;
    }
    return low === this.#head ? undefined : this.#records[low - 1]!.revision;
  }
}
