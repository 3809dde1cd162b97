// The queue between informers and the work they cause, as client-go has it: an item waits at most once, is
// worked on by one worker at a time, and comes again if it was added meanwhile. Failures of an item delay
// that item alone.
import { type Clock, REAL_CLOCK } from '../clock.ts';

export interface WorkQueueOptions {
  readonly clock?: Clock;
  /** The first wait of an item that failed; doubled with every failure. 5 ms. */
  readonly firstRetryMs?: number;
  /** 1000 s. */
  readonly maxRetryMs?: number;
}

interface Delayed {
  readonly due: number;
  readonly cancel: () => void;
}

/** Items are compared as Map keys are: strings, for most. */
export class WorkQueue<T> {
  readonly #clock: Clock;
  readonly #firstRetryMs: number;
  readonly #maxRetryMs: number;
  readonly #waiting = new Set<T>();
  readonly #underWay = new Set<T>();
  /** Added while under way. */
  readonly #again = new Set<T>();
  readonly #delayed = new Map<T, Delayed>();
  readonly #failures = new Map<T, number>();
  readonly #takers: ((item: T | undefined) => void)[] = [];
  #shutDown = false;

  constructor(options: WorkQueueOptions = {}) {
    this.#clock = options.clock ?? REAL_CLOCK;
    this.#firstRetryMs = options.firstRetryMs ?? 5;
    this.#maxRetryMs = options.maxRetryMs ?? 1_000_000;
  }

  /** Items ready to be taken. */
  get length(): number {
    return this.#waiting.size;
  }

  /** Nothing is ready, delayed or under way. */
  get isIdle(): boolean {
    return this.#waiting.size === 0 && this.#underWay.size === 0 && this.#delayed.size === 0;
  }

  add(item: T): void {
    if (this.#shutDown || this.#waiting.has(item)) return;
    if (this.#underWay.has(item)) {
      this.#again.add(item);
      return;
    }
    const taker = this.#takers.shift();
    if (taker === undefined) this.#waiting.add(item);
    else taker(this.#start(item));
  }

  /** Of several delays of one item the earliest counts. */
  addAfter(item: T, milliseconds: number): void {
    if (this.#shutDown) return;
    if (milliseconds <= 0) {
      this.add(item);
      return;
    }
    const due = this.#clock.now() + milliseconds;
    const earlier = this.#delayed.get(item);
    if (earlier !== undefined && earlier.due <= due) return;
    earlier?.cancel();
    const cancel = this.#clock.after(milliseconds, () => {
      this.#delayed.delete(item);
      this.add(item);
    });
    this.#delayed.set(item, { due, cancel });
  }

  /** For an item that failed: again after a wait that doubles with every failure since `forget`. */
  addRateLimited(item: T): void {
    const failures = this.failures(item);
    this.#failures.set(item, failures + 1);
    this.addAfter(item, Math.min(this.#firstRetryMs * 2 ** failures, this.#maxRetryMs));
  }

  failures(item: T): number {
    return this.#failures.get(item) ?? 0;
  }

  /** The item succeeded, or nobody cares any more. */
  forget(item: T): void {
    this.#failures.delete(item);
  }

  /**
   * The next item, now under way; `done` must follow. Undefined when the queue was shut down and is empty.
   */
  take(): Promise<T | undefined> {
    for (const item of this.#waiting) {
      this.#waiting.delete(item);
      return Promise.resolve(this.#start(item));
    }
    if (this.#shutDown) return Promise.resolve(undefined);
    return new Promise((resolve) => this.#takers.push(resolve));
  }

  done(item: T): void {
    this.#underWay.delete(item);
    if (this.#again.delete(item)) this.add(item);
  }

  /** No more comes in; what is ready can still be taken, what is delayed is dropped. */
  shutDown(): void {
    this.#shutDown = true;
    for (const { cancel } of this.#delayed.values()) cancel();
    this.#delayed.clear();
    for (const taker of this.#takers.splice(0)) taker(undefined);
  }

  #start(item: T): T {
    this.#underWay.add(item);
    return item;
  }
}

export interface WorkOptions<T> {
  readonly workers: number;
  readonly work: (item: T) => Promise<void>;
  /** Told of every failure; the item comes again after its wait. */
  readonly onFailure: (item: T, error: unknown) => void;
}

/** Works until the queue is shut down and empty. */
export async function workOn<T>(
  queue: WorkQueue<T>,
  { workers, work, onFailure }: WorkOptions<T>,
): Promise<void> {
  const worker = async (): Promise<void> => {
    for (let item = await queue.take(); item !== undefined; item = await queue.take()) {
      try {
        await work(item);
        queue.forget(item);
      } catch (error) {
        onFailure(item, error);
        queue.addRateLimited(item);
      } finally {
        queue.done(item);
      }
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
}
