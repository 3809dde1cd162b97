// Long work over many objects, done in slices of a few milliseconds, so that it does not block the event
// loop. All long work together gets one slice in each turn of the loop: a short request waits for one slice
// at most, however many lists are made at the same time.

const SLICE_MS = 8;
/** Reading the clock costs time too, so it is not done at every step. */
const STEPS_PER_CLOCK_READ = 16;

/** Those that wait for a slice, in turn. */
const waiting: (() => void)[] = [];

function resumeNext(): void {
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(resumeNext);
}

/** Resolves when it is the turn of the caller, in a later turn of the event loop. */
export function nextSlice(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(resumeNext);
  });
}

/** A step that returns false is the last one. Returns how many steps were made. */
export async function inSlices<T>(
  items: readonly T[],
  step: (item: T, index: number) => unknown,
): Promise<number> {
  let end = performance.now() + SLICE_MS;
  for (let i = 0; i < items.length; i++) {
    if (step(items[i]!, i) === false) return i + 1;
    if (i % STEPS_PER_CLOCK_READ !== STEPS_PER_CLOCK_READ - 1 || performance.now() < end) continue;
    await nextSlice();
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
    await nextSlice();
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
