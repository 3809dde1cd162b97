// When an engine maintains itself: it deletes expired entries, and compacts history that is too old. The
// engine decides what that means.
import type { Clock } from '../clock.ts';

export interface MaintenanceTasks {
  /** Deletes what expires by `now`; returns when the next entry expires, if any does. */
  expire(now: number): Promise<number | undefined>;
  /** Compacts what happened before `time`. */
  forgetBefore(time: number): Promise<void>;
}

const RETRY_MILLISECONDS = 5_000;

export class Maintenance {
  readonly #clock: Clock;
  readonly #tasks: MaintenanceTasks;
  readonly #historyMilliseconds: number;
  #cancelExpiry: (() => void) | undefined;
  #cancelForgetting: (() => void) | undefined;
  #expiryAt = Number.POSITIVE_INFINITY;
  #stopped = false;
  #running: Promise<unknown> = Promise.resolve();

  constructor(clock: Clock, historySeconds: number, tasks: MaintenanceTasks) {
    this.#clock = clock;
    this.#tasks = tasks;
    this.#historyMilliseconds = historySeconds * 1000;
    this.#forgetLater();
  }

  /** Something expires at this time. */
  expiresAt(time: number): void {
    if (this.#stopped || time >= this.#expiryAt) return;
    this.#cancelExpiry?.();
    this.#expiryAt = time;
    this.#cancelExpiry = this.#clock.after(Math.max(time - this.#clock.now(), 0), () =>
      this.#run(() => this.#expire()),
    );
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelExpiry?.();
    this.#cancelForgetting?.();
    await this.#running;
  }

  #run(task: () => Promise<void>): void {
    this.#running = this.#running.then(() => (this.#stopped ? undefined : task()));
  }

  async #expire(): Promise<void> {
    this.#expiryAt = Number.POSITIVE_INFINITY;
    const now = this.#clock.now();
    // A full disk must not stop expiry permanently: it may be what frees the space again.
    const next = await this.#tasks.expire(now).catch(() => now + RETRY_MILLISECONDS);
    if (next !== undefined) this.expiresAt(next);
  }

  #forgetLater(): void {
    // A tenth of the history's time, so that history is never much longer than promised, and each round has
    // little to do.
    const milliseconds = Math.min(Math.max(this.#historyMilliseconds / 10, 100), 10_000);
    this.#cancelForgetting = this.#clock.after(milliseconds, () => this.#run(() => this.#forget()));
  }

  async #forget(): Promise<void> {
    await this.#tasks.forgetBefore(this.#clock.now() - this.#historyMilliseconds).catch(() => undefined);
    if (!this.#stopped) this.#forgetLater();
  }
}
