// Writers that lost a race for an object retry one after the other: otherwise all but one would lose again
// and again.

export class Turns {
  /** For each object that is waited for, the end of the last turn in its queue. */
  readonly #lastTurns = new Map<string, Promise<unknown>>();

  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#lastTurns.get(key);
    const turn = before === undefined ? work() : before.then(work, work);
    // The next turn waits for this one to end, whether it succeeds or fails.
    const over = turn.then(
      () => {},
      () => {},
    );
    this.#lastTurns.set(key, over);
    try {
      return await turn;
    } finally {
      if (this.#lastTurns.get(key) === over) this.#lastTurns.delete(key);
    }
  }
}
