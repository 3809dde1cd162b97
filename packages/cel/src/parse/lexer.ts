// Text to tokens. Literals are kept as written; unescape.ts parses them. Invalid characters are reported and
// skipped.
import type { IssueList } from './issue.ts';
import { scanQuoted } from './quoted.ts';
import type { Token, TokenKind } from './token.ts';

const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57;
const isLetter = (unit: number): boolean => (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122);
const isHex = (unit: number): boolean =>
  isDigit(unit) || (unit >= 65 && unit <= 70) || (unit >= 97 && unit <= 102);
const isWord = (unit: number): boolean => isLetter(unit) || isDigit(unit) || unit === 95;
/** Quotes, and the letters that may precede one. */
const mayQuote = new Set([...'"\'bBrR'].map((character) => character.charCodeAt(0)));

const keywords = new Map<string, TokenKind>([
  ['in', 'in'],
  ['true', 'true'],
  ['false', 'false'],
  ['null', 'null'],
]);

/** Signs by their first unit: the one of two characters, its second unit, and the one of one character. */
interface Sign {
  readonly second: number;
  readonly double: TokenKind | undefined;
  readonly single: TokenKind | undefined;
}

const signs: readonly (Sign | undefined)[] = signTable('[]{}().,-!?:+*/%<>', [
  '==',
  '!=',
  '<=',
  '>=',
  '&&',
  '||',
]);

function signTable(singles: string, doubles: readonly string[]): readonly (Sign | undefined)[] {
  const table = new Array<Sign | undefined>(128).fill(undefined);
  const firsts = new Set([...singles, ...doubles.map((double) => double[0]!)]);
  for (const first of firsts) {
    const double = doubles.find((each) => each[0] === first);
    table[first.charCodeAt(0)] = {
      second: double?.charCodeAt(1) ?? -1,
      double: double as TokenKind | undefined,
      single: singles.includes(first) ? (first as TokenKind) : undefined,
    };
  }
  return table;
}

export function tokenize(text: string, issues: IssueList): Token[] {
  return new Lexer(text, issues).all();
}

class Lexer {
  private readonly text: string;
  private readonly issues: IssueList;
  private readonly tokens: Token[] = [];
  private at = 0;

  constructor(text: string, issues: IssueList) {
    this.text = text;
    this.issues = issues;
  }

  all(): Token[] {
    while (this.at < this.text.length) this.next();
    this.tokens.push({ kind: 'EOF', text: '<EOF>', offset: this.text.length });
    return this.tokens;
  }

  private next(): void {
    const unit = this.text.charCodeAt(this.at);
    if (unit === 32 || unit === 9 || unit === 10 || unit === 13 || unit === 12) this.at++;
    else if (unit === 47 && this.text.charCodeAt(this.at + 1) === 47) this.skipComment();
    else if (isDigit(unit) || (unit === 46 && isDigit(this.text.charCodeAt(this.at + 1)))) this.number();
    else if (mayQuote.has(unit) && this.quoted()) return;
    else if (isLetter(unit) || unit === 95) this.word();
    else if (unit === 96) this.escapedIdentifier();
    else this.punctuation();
  }

  private skipComment(): void {
    const end = this.text.indexOf('\n', this.at);
    this.at = end < 0 ? this.text.length : end;
  }

  private emit(kind: TokenKind, end: number): void {
    this.tokens.push({ kind, text: this.text.slice(this.at, end), offset: this.at });
    this.at = end;
  }

  /** `failed` is the first unit that no token allows; it is skipped together with what precedes it. */
  private reject(failed: number): void {
    const end = Math.min(this.text.length, failed + (this.text.codePointAt(failed)! > 0xffff ? 2 : 1));
    this.issues.reportAt(
      this.at,
      `Syntax error: token recognition error at: '${this.text.slice(this.at, end)}'`,
    );
    this.at = end;
  }

  private digits(from: number, accept: (unit: number) => boolean): number {
    let end = from;
    while (accept(this.text.charCodeAt(end))) end++;
    return end;
  }

  private number(): void {
    const text = this.text;
    if (text.startsWith('0x', this.at) && isHex(text.charCodeAt(this.at + 2))) {
      this.integer(this.digits(this.at + 2, isHex));
      return;
    }
    const whole = this.digits(this.at, isDigit);
    let end = whole;
    if (text[end] === '.' && isDigit(text.charCodeAt(end + 1))) end = this.digits(end + 1, isDigit);
    const exponent = this.exponent(end);
    if (exponent > whole) this.emit('NUM_FLOAT', exponent);
    else this.integer(whole);
  }

  private exponent(from: number): number {
    if (this.text[from] !== 'e' && this.text[from] !== 'E') return from;
    const sign = this.text[from + 1];
    const start = sign === '+' || sign === '-' ? from + 2 : from + 1;
    const end = this.digits(start, isDigit);
    return end > start ? end : from;
  }

  private integer(end: number): void {
    const suffix = this.text[end];
    if (suffix === 'u' || suffix === 'U') this.emit('NUM_UINT', end + 1);
    else this.emit('NUM_INT', end);
  }

  private quoted(): boolean {
    const scan = scanQuoted(this.text, this.at);
    if (scan === undefined) return false;
    if (scan.failed === undefined) this.emit(scan.bytes ? 'BYTES' : 'STRING', scan.end);
    else this.reject(scan.failed);
    return true;
  }

  private word(): void {
    const { text, at } = this;
    let end = at + 1;
    while (isWord(text.charCodeAt(end))) end++;
    const word = text.slice(at, end);
    this.tokens.push({ kind: keywords.get(word) ?? 'IDENTIFIER', text: word, offset: at });
    this.at = end;
  }

  private escapedIdentifier(): void {
    const end = this.digits(
      this.at + 1,
      (unit) => isWord(unit) || unit === 46 || unit === 45 || unit === 47 || unit === 32,
    );
    if (end > this.at + 1 && this.text[end] === '`') this.emit('ESC_IDENTIFIER', end + 1);
    else this.reject(end);
  }

  private punctuation(): void {
    const { at } = this;
    const sign = signs[this.text.charCodeAt(at)];
    if (sign?.double !== undefined && this.text.charCodeAt(at + 1) === sign.second) this.sign(sign.double, 2);
    else if (sign?.single !== undefined) this.sign(sign.single, 1);
    else this.reject(sign !== undefined && at + 1 < this.text.length ? at + 1 : at);
  }

  private sign(kind: TokenKind, size: number): void {
    this.tokens.push({ kind, text: kind, offset: this.at });
    this.at += size;
  }
}
