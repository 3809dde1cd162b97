// The one place that bounds time. Evaluation is synchronous, so the running evaluation's meter is a module variable: anything that
// loops (the interpreter, equality, a library function) reports its work here, and past the deadline the evaluation is abandoned.

/** Thrown, not returned: neither && nor || may absorb it. Caught where evaluation starts. */
export class Interrupted {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

export const costExceeded = new Interrupted('operation cancelled: actual cost limit exceeded');
export const timeExceeded = new Interrupted('operation interrupted');

// About 20 microseconds of simple steps: often enough to stop in time, seldom enough not to matter.
const stepsBetweenLooks = 2000;

let deadline = Number.POSITIVE_INFINITY;
let stepsLeft = stepsBetweenLooks;

/** Reports `steps` units of work, each some nanoseconds. Throws when the deadline has passed. */
export function work(steps: number): void {
  stepsLeft -= steps;
  if (stepsLeft < 0) lookAtClock();
}

function lookAtClock(): void {
  stepsLeft = stepsBetweenLooks;
  if (Date.now() > deadline) throw timeExceeded;
}

/** Runs under a deadline (as Date.now() counts). A nested run never outlives the one around it. */
export function withDeadline<T>(until: number, run: () => T): T {
  const outer = deadline;
  deadline = Math.min(outer, until);
  try {
    return run();
  } finally {
    deadline = outer;
  }
}
