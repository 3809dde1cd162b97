// Text to tokens. Literals are left as written; unescape.ts reads them. What is no token is reported and skipped.
import type { IssueList } from './issue.ts';
import { scanQuoted } from './quoted.ts';
import type { Token, TokenKind } from './token.ts';

const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57;
const isLetter = (unit: number): boolean => (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122);
const isHex = (unit: number): boolean => isDigit(unit) || (unit >= 65 && unit <= 70) || (unit >= 97 && unit <= 102);
const isWord = (unit: number): boolean => isLetter(unit) || isDigit(unit) || unit === 95;

const keywords = new Set(['in', 'true', 'false', 'null']);
const single = new Set('[]{}().,-!?:+*/%<>');
const double = new Set(['==', '!=', '<=', '>=', '&&', '||']);

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
    else if (this.text.startsWith('//', this.at)) this.skipComment();
    else if (isDigit(unit) || (unit === 46 && isDigit(this.text.charCodeAt(this.at + 1)))) this.number();
    else if (this.quoted(unit)) return;
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

  /** `failed` is the first unit that no token allows; it is skipped along with what came before. */
  private reject(failed: number): void {
    const end = Math.min(this.text.length, failed + (this.text.codePointAt(failed)! > 0xffff ? 2 : 1));
    this.issues.reportAt(this.at, `Syntax error: token recognition error at: '${this.text.slice(this.at, end)}'`);
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

  private quoted(unit: number): boolean {
    if (unit !== 34 && unit !== 39 && !'bBrR'.includes(this.text[this.at]!)) return false;
    const scan = scanQuoted(this.text, this.at);
    if (scan === undefined) return false;
    if (scan.failed === undefined) this.emit(scan.bytes ? 'BYTES' : 'STRING', scan.end);
    else this.reject(scan.failed);
    return true;
  }

  private word(): void {
    const end = this.digits(this.at, isWord);
    const text = this.text.slice(this.at, end);
    this.emit(keywords.has(text) ? (text as TokenKind) : 'IDENTIFIER', end);
  }

  private escapedIdentifier(): void {
    const end = this.digits(this.at + 1, (unit) => isWord(unit) || unit === 46 || unit === 45 || unit === 47 || unit === 32);
    if (end > this.at + 1 && this.text[end] === '`') this.emit('ESC_IDENTIFIER', end + 1);
    else this.reject(end);
  }

  private punctuation(): void {
    const two = this.text.slice(this.at, this.at + 2);
    if (double.has(two)) this.emit(two as TokenKind, this.at + 2);
    else if (single.has(two[0]!)) this.emit(two[0] as TokenKind, this.at + 1);
    else this.reject('=&|'.includes(two[0]!) && two.length === 2 ? this.at + 1 : this.at);
  }
}
