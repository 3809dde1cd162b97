// Keys that want work, each worked on by one at a time, tried again later and later when it fails. What every
// controller runs on.

export interface WorkQueueOptions {
  readonly work: (key: string) => Promise<void>;
  readonly onError: (key: string, error: unknown) => void;
  readonly concurrency?: number;
  readonly minDelayMs?: number;
  readonly maxDelayMs?: number;
}

export class WorkQueue {
  readonly #options: Required<WorkQueueOptions>;
  /** Keys wait here once, however often they are added. */
  readonly #waiting = new Set<string>();
  readonly #running = new Map<string, { again: boolean }>();
  readonly #failures = new Map<string, number>();
  readonly #timers = new Map<string, { readonly timer: NodeJS.Timeout; readonly due: number }>();
  #paused = false;
  #closed = false;
  #idle: (() => void)[] = [];

  constructor(options: WorkQueueOptions) {
    this.#options = { concurrency: 4, minDelayMs: 20, maxDelayMs: 30_000, ...options };
  }

  add(key: string): void {
    if (this.#closed) return;
    const running = this.#running.get(key);
    if (running !== undefined) running.again = true;
    else this.#waiting.add(key);
    this.#fill();
  }

  /** Of several times for one key, the earliest counts. */
  addLater(key: string, delayMs: number): void {
    const due = performance.now() + delayMs;
    const known = this.#timers.get(key);
    if (this.#closed || (known !== undefined && known.due <= due)) return;
    clearTimeout(known?.timer);
    const timer = setTimeout(() => {
      this.#timers.delete(key);
      this.add(key);
    }, delayMs);
    timer.unref();
    this.#timers.set(key, { timer, due });
  }

  /** Keys wait until `resume`; the work under way goes on. */
  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#fill();
  }

  /** Lets the work under way finish, and starts no more. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { timer } of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
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
      this.#failures.delete(key);
    } catch (error) {
      this.#retry(key, error);
    }
    const { again } = this.#running.get(key)!;
    this.#running.delete(key);
    if (again) this.add(key);
    this.#fill();
    if (this.#running.size === 0) for (const done of this.#idle.splice(0)) done();
  }

  #retry(key: string, error: unknown): void {
    if (this.#closed) return;
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    this.#options.onError(key, error);
    this.addLater(key, Math.min(this.#options.minDelayMs * 2 ** (failures - 1), this.#options.maxDelayMs));
  }
}
