// Reviews that take long give everything else its turn every few milliseconds. Among each other they go one
// after the other rather than side by side: who waits for several gets the first of them soon, and can do
// something with it while the next is made.
import type { Deadline } from '../review/deadline.ts';

/** The longest that one review keeps the process from everything else. */
const TURN_MS = 5;
/** Whoever is not done by then lets the others pass. */
const TURNS_IN_A_ROW = 20;

/** Who goes on next, and then who. */
const waiting: (() => void)[] = [];
let isGoingOn = false;

function letOneGoOn(): void {
  const goOn = waiting.shift();
  isGoingOn = goOn !== undefined;
  if (goOn === undefined) return;
  goOn();
  setImmediate(letOneGoOn);
}

export class Turns {
  readonly #deadline: Deadline;
  #end = performance.now() + TURN_MS;
  #left = 0;

  constructor(deadline: Deadline) {
    this.#deadline = deadline;
  }

  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  /** After everything else had its turn. False if nobody waits for the answer any more. */
  async next(): Promise<boolean> {
    await new Promise<void>((goOn) => {
      if (this.#left > 0) waiting.unshift(goOn);
      else waiting.push(goOn);
      if (!isGoingOn) setImmediate(letOneGoOn);
      isGoingOn = true;
    });
    this.#left = this.#left > 0 ? this.#left - 1 : TURNS_IN_A_ROW;
    this.#end = performance.now() + TURN_MS;
    return !this.#deadline.isOver;
  }
}
