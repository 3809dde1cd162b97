// Who is asked a second time: webhooks that wish so and were asked before the object was last changed. There
// are two rounds at most.

export class Reinvocation {
  #round: 0 | 1 = 0;
  /** Asked since the last change. */
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

  /** In the second round nobody is asked for the first time. */
  admits(id: string): boolean {
    return this.#round === 0 || this.#again.has(id);
  }

  /** A webhook has been asked. Its own change is no reason to ask it again. */
  asked(
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
