// When an engine looks after itself: it deletes entries whose time has come, and forgets history that is too
// old. What that means is the engine's.
import type { Clock } from '../clock.ts';

export interface UpkeepTasks {
  /** Deletes what expires by `now`; returns when the next entry expires, if any does. */
  expire(now: number): Promise<number | undefined>;
  /** Forgets what happened before `time`. */
  forgetBefore(time: number): Promise<void>;
}

const RETRY_MILLISECONDS = 5_000;

export class Upkeep {
  readonly #clock: Clock;
  readonly #tasks: UpkeepTasks;
  readonly #historyMilliseconds: number;
  #cancelExpiry: (() => void) | undefined;
  #cancelForgetting: (() => void) | undefined;
  #expiryAt = Number.POSITIVE_INFINITY;
  #stopped = false;
  #running: Promise<unknown> = Promise.resolve();

  constructor(clock: Clock, historySeconds: number, tasks: UpkeepTasks) {
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
    // A full disk must not end expiry for good: it may be what frees the space again.
    const next = await this.#tasks.expire(now).catch(() => now + RETRY_MILLISECONDS);
    if (next !== undefined) this.expiresAt(next);
  }

  #forgetLater(): void {
    // A tenth of the time kept, so that history is never much longer than promised, and each round has little
    // to do.
    const milliseconds = Math.min(Math.max(this.#historyMilliseconds / 10, 100), 10_000);
    this.#cancelForgetting = this.#clock.after(milliseconds, () => this.#run(() => this.#forget()));
  }

  async #forget(): Promise<void> {
    await this.#tasks.forgetBefore(this.#clock.now() - this.#historyMilliseconds).catch(() => undefined);
    if (!this.#stopped) this.#forgetLater();
  }
}
