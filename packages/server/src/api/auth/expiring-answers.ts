/** Answers that are valid for a while; of more than `max`, the oldest are forgotten. */
export class ExpiringAnswers<T> {
  readonly #max: number;
  readonly #now: () => number;
  readonly #answers = new Map<string, { readonly answer: T; readonly until: number }>();

  constructor(max: number, now: () => number) {
    this.#max = max;
    this.#now = now;
  }

  get(key: string): T | undefined {
    const known = this.#answers.get(key);
    if (known === undefined) return undefined;
    if (known.until > this.#now()) return known.answer;
    this.#answers.delete(key);
    return undefined;
  }

  set(key: string, answer: T, ttlMs: number): void {
    if (ttlMs <= 0) return;
    this.#answers.delete(key);
    this.#answers.set(key, { answer, until: this.#now() + ttlMs });
    if (this.#answers.size <= this.#max) return;
    for (const oldest of this.#answers.keys()) {
      this.#answers.delete(oldest);
      return;
    }
  }
}
