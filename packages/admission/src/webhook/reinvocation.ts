// Which webhooks are reinvoked: those that ask for it and were called before the last change of the object.
// There are at most two rounds.

export class Reinvocation {
  #round: 0 | 1 = 0;
  /** Called since the last change. */
  readonly #since = new Set<string>();
  readonly #again = new Set<string>();
  #changed = false;

  get round(): 0 | 1 {
    return this.#round;
  }

  /** True once, if the first round has changed the object. */
  startSecondRound(): boolean {
    if (this.#round === 1 || !this.#changed) return false;
    this.#round = 1;
    return true;
  }

  /** No webhook is called for the first time in the second round. */
  admits(id: string): boolean {
    return this.#round === 0 || this.#again.has(id);
  }

  /** A webhook has been called. Its own change is not a reason to call it again. */
  called(
    id: string,
    { changed, reinvokes }: { readonly changed: boolean; readonly reinvokes: boolean },
  ): void {
    if (changed) {
      this.#changed = true;
      for (const earlier of this.#since) this.#again.add(earlier);
      this.#since.clear();
    }
    if (reinvokes) this.#since.add(id);
  }
}
