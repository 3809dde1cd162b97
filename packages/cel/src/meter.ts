// Bounds the time of evaluations. Evaluation is synchronous, so the meter of the running one is a module
// variable: everything that loops (the interpreter, equality, a library function) reports its work here, and
// after the deadline the evaluation is aborted.

import { CelError } from './values/error.ts';

/**
 * Thrown, not returned, while an evaluation runs, as && and || must not absorb it. Where evaluation starts,
 * it becomes the result.
 */
export class Interrupted extends CelError {}

/** The result of an evaluation that went beyond its cost limit. */
export const costExceeded = new Interrupted('operation cancelled: actual cost limit exceeded');
const timeExceeded = new Interrupted('operation interrupted');

// Some tens of microseconds of simple steps: often enough to abort in time, and cheap enough.
const stepsBetweenLooks = 4000;
const stepsPerMillisecond = 100_000;

let deadline = Number.POSITIVE_INFINITY;
let stepsLeft = stepsBetweenLooks;

/** Reports `steps` units of work, each some ten nanoseconds. Throws when the deadline has passed. */
export function work(steps: number): void {
  stepsLeft -= steps;
  if (stepsLeft < 0) lookAtClock();
}

function lookAtClock(): void {
  stepsLeft = stepsBetweenLooks;
  if (deadline !== Number.POSITIVE_INFINITY && Date.now() > deadline) throw timeExceeded;
}

/**
 * Announces work that cannot be aborted once begun. Throws if it would exceed the deadline.
 */
export function workAhead(steps: number): void {
  work(steps);
  if (deadline === Number.POSITIVE_INFINITY || steps < stepsPerMillisecond) return;
  if (Date.now() + steps / stepsPerMillisecond > deadline) throw timeExceeded;
}

/** Runs with a deadline, as Date.now(). A nested run never exceeds the outer deadline. */
export function withDeadline<T>(until: number, run: () => T): T {
  const outer = deadline;
  deadline = Math.min(outer, until);
  stepsLeft = stepsBetweenLooks;
  try {
    return run();
  } finally {
    deadline = outer;
  }
}
