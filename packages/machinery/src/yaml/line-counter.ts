// In which line a position of a text is. Positions are mostly asked for in ascending order, so lines are
// counted from where the last one was; from the start each time, a long text would take quadratic time.

export class LineCounter {
  readonly #text: string;
  #line = 1;
  /** Where the next line break is that has not been counted; -1 if there is none. */
  #nextBreak: number;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
    this.#nextBreak = text.indexOf('\n');
  }

  /** The first line is 1. */
  lineAt(position: number): number {
    if (position < this.#position) {
      this.#line = 1;
      this.#nextBreak = this.#text.indexOf('\n');
    }
    this.#position = position;
    while (this.#nextBreak >= 0 && this.#nextBreak < position) {
      this.#line++;
      this.#nextBreak = this.#text.indexOf('\n', this.#nextBreak + 1);
    }
    return this.#line;
  }
}
