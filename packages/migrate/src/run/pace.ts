// The pace of a migration: at most so many objects per second, and none while it is paused.
import { setTimeout } from 'node:timers/promises';

const HOLD_MS = 60_000;

/** Spaces writes so that there are no more than so many per second. */
export class Pace {
  readonly #spacingMs: number;
  readonly #signal: AbortSignal;
  #next = 0;
  #resume: (() => void) | undefined;
  #paused: Promise<void> | undefined;

  /** `rate` in objects per second; 0: no limit. */
  constructor(rate: number, signal: AbortSignal) {
    this.#spacingMs = rate > 0 ? 1000 / rate : 0;
    this.#signal = signal;
    signal.addEventListener('abort', () => this.resume(), { once: true });
  }

  get isPaused(): boolean {
    return this.#paused !== undefined;
  }

  pause(): void {
    this.#paused ??= new Promise((resolve) => {
      // Nothing else may be in flight: without this the process would exit.
      const held = setInterval(() => {}, HOLD_MS);
      this.#resume = () => {
        clearInterval(held);
        resolve();
      };
    });
  }

  resume(): void {
    this.#resume?.();
    this.#paused = undefined;
  }

  /** Resolves when the next object may be worked on. */
  async turn(): Promise<void> {
    await this.#paused;
    this.#signal.throwIfAborted();
    if (this.#spacingMs === 0) return;
    const now = performance.now();
    const at = Math.max(now, this.#next);
    this.#next = at + this.#spacingMs;
    if (at > now) await setTimeout(at - now, undefined, { signal: this.#signal });
  }
}
