// A rate-limited work queue like client-go's: each key is worked on by one worker at a time, and retried with
// backoff when it fails. Every controller runs on one.
import { Backoff } from '../time/backoff.ts';
import { BACKGROUND_CLOCK, type Clock } from '../time/clock.ts';

export interface WorkQueueOptions {
  readonly work: (key: string) => Promise<void>;
  /** Called for every failure; the key is retried after its backoff. */
  readonly onError: (key: string, error: unknown) => void;
  readonly concurrency?: number;
  /** The backoff after the first failure; doubled with every further one. */
  readonly minDelayMs?: number;
  readonly maxDelayMs?: number;
  readonly clock?: Clock;
}

interface Delayed {
  readonly due: number;
  readonly cancel: () => void;
}

/** Keys to be reconciled, each at most once at a time, as in client-go. */
export class WorkQueue {
  readonly #options: Required<WorkQueueOptions>;
  /** Each key waits once, however often it is added. */
  readonly #waiting = new Set<string>();
  readonly #running = new Map<string, { again: boolean }>();
  /** For keys that have failed since they last succeeded. */
  readonly #backoffs = new Map<string, Backoff>();
  readonly #delayed = new Map<string, Delayed>();
  #paused = false;
  #closed = false;
  #idle: (() => void)[] = [];
  readonly #settled = new Map<string, (() => void)[]>();

  constructor(options: WorkQueueOptions) {
    this.#options = {
      concurrency: 4,
      minDelayMs: 20,
      maxDelayMs: 30_000,
      clock: BACKGROUND_CLOCK,
      ...options,
    };
  }

  add(key: string): void {
    if (this.#closed) return;
    const running = this.#running.get(key);
    if (running !== undefined) running.again = true;
    else this.#waiting.add(key);
    this.#fill();
  }

  /** If a key is added several times, the earliest time counts. */
  addLater(key: string, delayMs: number): void {
    const { clock } = this.#options;
    const due = clock.now() + delayMs;
    const known = this.#delayed.get(key);
    if (this.#closed || (known !== undefined && known.due <= due)) return;
    known?.cancel();
    const cancel = clock.after(delayMs, () => {
      this.#delayed.delete(key);
      this.add(key);
    });
    this.#delayed.set(key, { due, cancel });
  }

  /** Resolves when the key neither waits nor is worked on; a retry after a failure is not waited for. */
  settled(key: string): Promise<void> {
    if (this.#closed || (!this.#waiting.has(key) && !this.#running.has(key))) return Promise.resolve();
    return new Promise((resolve) => this.#settled.set(key, [...(this.#settled.get(key) ?? []), resolve]));
  }

  /** Keys wait until `resume`; work in progress continues. */
  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#fill();
  }

  /** Waits for the work in progress, and starts no more. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { cancel } of this.#delayed.values()) cancel();
    this.#delayed.clear();
    for (const key of this.#waiting) if (!this.#running.has(key)) this.#settle(key);
    this.#waiting.clear();
    if (this.#running.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #fill(): void {
    for (const key of this.#waiting) {
      if (this.#paused || this.#running.size >= this.#options.concurrency) return;
      this.#waiting.delete(key);
      this.#running.set(key, { again: false });
      void this.#run(key);
    }
  }

  async #run(key: string): Promise<void> {
    try {
      await this.#options.work(key);
      this.#backoffs.delete(key);
    } catch (error) {
      this.#retry(key, error);
    }
    const { again } = this.#running.get(key)!;
    this.#running.delete(key);
    if (again && !this.#closed) this.add(key);
    else this.#settle(key);
    this.#fill();
    if (this.#running.size === 0) for (const done of this.#idle.splice(0)) done();
  }

  #settle(key: string): void {
    const waiting = this.#settled.get(key) ?? [];
    this.#settled.delete(key);
    for (const resolve of waiting) resolve();
  }

  #retry(key: string, error: unknown): void {
    if (this.#closed) return;
    this.#options.onError(key, error);
    this.addLater(key, this.#backoffOf(key).next());
  }

  #backoffOf(key: string): Backoff {
    let backoff = this.#backoffs.get(key);
    if (backoff === undefined) {
      const { minDelayMs, maxDelayMs } = this.#options;
      backoff = new Backoff({ firstMs: minDelayMs, maxMs: maxDelayMs, jitter: 0 });
      this.#backoffs.set(key, backoff);
    }
    return backoff;
  }
}
