// Reads the text of a pattern from a position.

export class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get atEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  sees(text: string): boolean {
    return this.#text.startsWith(text, this.#at);
  }

  take(text: string): boolean {
    if (!this.sees(text)) return false;
    this.#at += text.length;
    return true;
  }

  /** `pattern` starts with ^. */
  match(pattern: RegExp): RegExpExecArray | undefined {
    const found = pattern.exec(this.#text.slice(this.#at, this.#at + 64));
    if (found !== null) this.#at += found[0].length;
    return found ?? undefined;
  }

  /** The next code point. */
  next(): number {
    const point = this.#text.codePointAt(this.#at)!;
    this.#at += point > 0xffff ? 2 : 1;
    return point;
  }
}
