// Long work over many objects, done in slices of a few milliseconds, so that it does not block the event
// loop.

const SLICE_MS = 8;
/** Reading the clock costs time too, so it is not done at every step. */
const STEPS_PER_CLOCK_READ = 16;

/** A step that returns false is the last one. Returns how many steps were made. */
export async function inSlices<T>(
  items: readonly T[],
  step: (item: T, index: number) => unknown,
): Promise<number> {
  let end = performance.now() + SLICE_MS;
  for (let i = 0; i < items.length; i++) {
    if (step(items[i]!, i) === false) return i + 1;
    if (i % STEPS_PER_CLOCK_READ !== STEPS_PER_CLOCK_READ - 1 || performance.now() < end) continue;
    await new Promise((resume) => setImmediate(resume));
    end = performance.now() + SLICE_MS;
  }
  return items.length;
}

/** For work in steps of unequal length: yields to the event loop when the slice is over. */
export class TimeSlice {
  readonly #now: () => number;
  #start: number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#start = now();
  }

  get isOver(): boolean {
    return this.#now() - this.#start >= SLICE_MS;
  }

  async yieldIfOver(): Promise<void> {
    if (!this.isOver) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#start = this.#now();
  }
}

/** Finishes work that yields between its steps. */
export async function finishInSlices<T>(
  steps: Generator<undefined, T, unknown>,
  slice = new TimeSlice(),
): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await slice.yieldIfOver();
  }
}
