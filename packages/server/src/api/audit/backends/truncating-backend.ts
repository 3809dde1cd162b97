// Limits the size of events and batches: an event that is too long loses its bodies, and is lost if that is
// not enough.
import type { AuditBackend, ReportLoss } from '../backend.ts';
import type { AuditEvent } from '../event.ts';
import type { AuditTruncateOptions } from '../options.ts';

export class TruncatingBackend implements AuditBackend {
  readonly #inner: AuditBackend;
  readonly #options: AuditTruncateOptions;
  readonly #report: ReportLoss;

  constructor(inner: AuditBackend, options: AuditTruncateOptions, report: ReportLoss) {
    this.#inner = inner;
    this.#options = options;
    this.#report = report;
  }

  async process(events: readonly AuditEvent[]): Promise<boolean> {
    const { fitting, lost } = this.#fit(events);
    if (lost.length > 0)
      this.#report('truncate', new Error('event is too large even after truncating'), lost);
    const results = await Promise.all(this.#batches(fitting).map((batch) => this.#inner.process(batch)));
    return results.every(Boolean);
  }

  hasten(): void {
    this.#inner.hasten?.();
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  #fit(events: readonly AuditEvent[]): { fitting: AuditEvent[]; lost: AuditEvent[] } {
    const { maxEventBytes } = this.#options;
    const fits = (event: AuditEvent): boolean => sizeOf(event) <= maxEventBytes;
    const shortened = events.map((event) => (fits(event) || !event.hasBodies ? event : event.truncated()));
    return { fitting: shortened.filter(fits), lost: shortened.filter((event) => !fits(event)) };
  }

  #batches(events: readonly AuditEvent[]): AuditEvent[][] {
    const batches: AuditEvent[][] = [];
    let size = Number.POSITIVE_INFINITY;
    for (const event of events) {
      size += sizeOf(event);
      if (size > this.#options.maxBatchBytes) {
        batches.push([]);
        size = sizeOf(event);
      }
      batches.at(-1)!.push(event);
    }
    return batches;
  }
}

const sizeOf = (event: AuditEvent): number => Buffer.byteLength(event.json);
