// Writers who lost a race for an object try again one after the other: otherwise all of them would lose to
// one, over and over.

export class Turns {
  /** The end of the line for each object that somebody waits for. */
  readonly #lines = new Map<string, Promise<unknown>>();

  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#lines.get(key);
    const turn = before === undefined ? work() : before.then(work, work);
    // The line only tells when the turn is over, not how it went.
    const over = turn.then(
      () => {},
      () => {},
    );
    this.#lines.set(key, over);
    try {
      return await turn;
    } finally {
      if (this.#lines.get(key) === over) this.#lines.delete(key);
    }
  }
}
