// The mode `batch`: events wait in a bounded buffer and are delivered in batches, so that no request waits
// for a backend. What does not fit is lost, counted and logged.
import { type Clock, REAL_CLOCK, sleep } from '@instar/serving';
import type { AuditBackend, ReportLoss } from '../backend.ts';
import type { AuditEvent } from '../event.ts';
import type { AuditBatchOptions } from '../options.ts';

/** Batches that are on their way at once. Upstream has no such bound. */
const MAX_IN_FLIGHT = 16;

export class BufferedBackend implements AuditBackend {
  readonly #inner: AuditBackend;
  readonly #options: AuditBatchOptions;
  readonly #report: ReportLoss;
  readonly #clock: Clock;
  readonly #maxInFlight: number;
  readonly #buffer: AuditEvent[] = [];
  readonly #inFlight = new Set<Promise<unknown>>();
  #tokens: number;
  #tokensAt: number;
  #sending: Promise<void> | undefined;
  #cancelTimer: (() => void) | undefined;
  #isClosed = false;

  /** `inOrder`: one batch after the other, for a log. */
  constructor(
    inner: AuditBackend,
    options: AuditBatchOptions,
    report: ReportLoss,
    inOrder: boolean,
    clock: Clock = REAL_CLOCK,
  ) {
    this.#inner = inner;
    this.#options = options;
    this.#report = report;
    this.#maxInFlight = inOrder ? 1 : MAX_IN_FLIGHT;
    this.#clock = clock;
    this.#tokens = options.throttle?.burst ?? 0;
    this.#tokensAt = clock.now();
  }

  process(events: readonly AuditEvent[]): boolean {
    const room = this.#isClosed ? 0 : this.#options.bufferSize - this.#buffer.length;
    this.#buffer.push(...events.slice(0, room));
    if (events.length > room) {
      const why = this.#isClosed ? 'audit backend shut down' : 'audit buffer queue blocked';
      this.#report('buffered', new Error(why), events.slice(room));
    }
    this.#schedule();
    return true;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelTimer?.();
    this.#inner.hasten?.();
    await this.#sending;
    await this.#sendWhile(() => this.#buffer.length > 0);
    await Promise.all(this.#inFlight);
    await this.#inner.close();
  }

  #schedule(): void {
    if (this.#sending !== undefined || this.#isClosed || this.#buffer.length === 0) return;
    if (this.#isFull()) this.#send(() => this.#isFull());
    else this.#cancelTimer ??= this.#clock.after(this.#options.maxWaitMs, () => this.#sendIncomplete());
  }

  #isFull(): boolean {
    return this.#buffer.length >= this.#options.maxBatchSize;
  }

  #sendIncomplete(): void {
    let isFirst = true;
    this.#send(() => {
      const wanted = isFirst || this.#isFull();
      isFirst = false;
      return wanted;
    });
  }

  #send(wanted: () => boolean): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#sending = this.#sendWhile(wanted).then(() => {
      this.#sending = undefined;
      this.#schedule();
    });
  }

  async #sendWhile(wanted: () => boolean): Promise<void> {
    while (wanted() && this.#buffer.length > 0) {
      await this.#token();
      while (this.#inFlight.size >= this.#maxInFlight) await Promise.race(this.#inFlight);
      const batch = this.#buffer.splice(0, this.#options.maxBatchSize);
      const delivery: Promise<unknown> = Promise.resolve(this.#inner.process(batch)).finally(() =>
        this.#inFlight.delete(delivery),
      );
      this.#inFlight.add(delivery);
    }
  }

  /** Waits until the throttle lets a batch through; not at the end. */
  async #token(): Promise<void> {
    const { throttle } = this.#options;
    if (throttle === undefined || this.#isClosed) return;
    const now = this.#clock.now();
    this.#tokens = Math.min(throttle.burst, this.#tokens + ((now - this.#tokensAt) / 1000) * throttle.qps);
    this.#tokensAt = now;
    this.#tokens--;
    if (this.#tokens < 0) await sleep(this.#clock, (-this.#tokens / throttle.qps) * 1000);
  }
}
