// The format email: one address as in RFC 5322, optionally with a display name ("Jo <jo@example.com>").

// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 5322 leaves them out
const ATOM = /[^\s()<>[\]:;@\\,."\u0000-\u0020\u007f]+/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 5322 leaves them out
const QUOTED = /"(?:[^"\\\u0000-\u0008\u000a-\u001f\u007f]|\\[^\u0000-\u0008\u000a-\u001f\u007f])*"/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 5322 leaves them out
const LITERAL = /\[[^[\]\\\u0000-\u0020\u007f]*\]/y;
const SPACE = /[ \t]*/y;

export function isEmail(text: string): boolean {
  const reader = new AddressReader(text);
  reader.skip(SPACE);
  if (reader.readAddress() && reader.isAtEnd()) return true;
  reader.restart();
  reader.skip(SPACE);
  reader.readName();
  return reader.readMark('<') && reader.readAddress() && reader.readMark('>') && reader.isAtEnd();
}

class AddressReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  restart(): void {
    this.#at = 0;
  }

  skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return false;
    this.#at += found[0].length;
    return true;
  }

  readMark(mark: string): boolean {
    if (this.#text[this.#at] !== mark) return false;
    this.#at++;
    return true;
  }

  readAddress(): boolean {
    const local = this.skip(QUOTED) || this.#readDotted();
    return local && this.readMark('@') && (this.#readDotted() || this.skip(LITERAL));
  }

  /** The words of a display name; dots are tolerated. */
  readName(): void {
    while (this.skip(QUOTED) || this.skip(ATOM) || this.readMark('.')) this.skip(SPACE);
  }

  #readDotted(): boolean {
    if (!this.skip(ATOM)) return false;
    while (this.readMark('.')) if (!this.skip(ATOM)) return false;
    return true;
  }

  /** Spaces and comments may follow. */
  isAtEnd(): boolean {
    this.skip(SPACE);
    while (this.skip(/\([^()\\]*\)/y)) this.skip(SPACE);
    return this.#at === this.#text.length;
  }
}
