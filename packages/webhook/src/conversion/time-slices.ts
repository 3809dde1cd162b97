// Long reviews yield to other work every few milliseconds. Among each other they run serially rather than
// interleaved: a caller of several gets the first answer soon, and can use it while the next is made.
import type { Deadline } from '../review/deadline.ts';

/** The longest time that one review blocks the process. */
const SLICE_MS = 5;
/** A review that is not done after this many slices lets the others run. */
const MAX_SLICES_IN_A_ROW = 20;

/** Resumes the waiting reviews, in order. */
const waiting: (() => void)[] = [];
let isScheduled = false;

function resumeOne(): void {
  const resume = waiting.shift();
  isScheduled = resume !== undefined;
  if (resume === undefined) return;
  resume();
  setImmediate(resumeOne);
}

export class TimeSlices {
  readonly #deadline: Deadline;
  #end = performance.now() + SLICE_MS;
  #left = 0;

  constructor(deadline: Deadline) {
    this.#deadline = deadline;
  }

  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  async nextIfOver(): Promise<void> {
    if (this.isOver) await this.next();
  }

  /** Resolves when other work has run. False if the caller has stopped waiting. */
  async next(): Promise<boolean> {
    await new Promise<void>((resume) => {
      if (this.#left > 0) waiting.unshift(resume);
      else waiting.push(resume);
      if (!isScheduled) setImmediate(resumeOne);
      isScheduled = true;
    });
    this.#left = this.#left > 0 ? this.#left - 1 : MAX_SLICES_IN_A_ROW;
    this.#end = performance.now() + SLICE_MS;
    return !this.#deadline.isOver;
  }
}
