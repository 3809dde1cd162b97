// A strict JSON parser for what clients send: reports duplicate keys with their paths, keeps every int64
// exact, limits nesting, and explains syntax errors in the words of Go's encoding/json. Most bodies need none
// of this and are read by JSON.parse (parse-natively.ts). For our own bytes JSON.parse is enough.
import { decodeUtf8 } from '@instar/go';
import type { JsonObject, JsonValue } from '../json-value.ts';
import { DuplicateFields } from './duplicate-fields.ts';
import { forgetKeys, keyAt } from './key-table.ts';
import { type JsonParseError, numberOutOfRange, unexpectedCharacter } from './parse-error.ts';
import { parseNatively } from './parse-natively.ts';

export interface ParseJsonOptions {
  /**
   * Upstream allows 10,000. Everything after the parser recurses, and JavaScript's stack is smaller than
   * Go's.
   */
  readonly maxDepth?: number;
}

/** A parsed JSON text, with what a strict decoder objects to. */
export interface ParsedJson {
  readonly value: JsonValue;
  /**
   * Strict decoding errors, ready to print: `duplicate field "spec.size"`. The last of the duplicates is in
   * the value.
   */
  readonly duplicates: string[];
}

const DEFAULT_MAX_DEPTH = 1000;
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;
/** A longer literal is not an int64. BigInt takes more than linear time for long ones. */
const MAX_INT64_CHARACTERS = 20;

/** Throws JsonParseError. */
export function parseJson(input: Uint8Array | string, options: ParseJsonOptions = {}): ParsedJson {
  const text = typeof input === 'string' ? input : decodeUtf8(input);
  const { maxDepth = DEFAULT_MAX_DEPTH } = options;
  const value = parseNatively(text, maxDepth);
  return value === undefined ? parseExactly(text, maxDepth) : { value, duplicates: [] };
}

/** For text that JSON.parse cannot read exactly. */
export function parseExactly(text: string, maxDepth = DEFAULT_MAX_DEPTH): ParsedJson {
  try {
    return new Parser(text, maxDepth).parse();
  } catch (error) {
    forgetKeys();
    throw error;
  }
}

/**
 * The number that Go's decoder returns for an integer literal: an int64 if it fits, otherwise the nearest
 * float64.
 */
function integerOf(literal: string): number | bigint {
  if (literal.length > MAX_INT64_CHARACTERS) return Number(literal);
  const exact = BigInt(literal);
  if (exact < INT64_MIN || exact > INT64_MAX) return Number(literal);
  const near = Number(exact);
  return Number.isSafeInteger(near) ? near : exact;
}

class Parser {
  private readonly text: string;
  private readonly maxDepth: number;
  private position = 0;
  private depth = 0;
  /** The key or index being read at every depth, for the paths of duplicates. */
  private readonly path: (string | number)[] = [];
  private duplicates: DuplicateFields | undefined;
  private rangeError: JsonParseError | undefined;

  constructor(text: string, maxDepth: number) {
    this.text = text;
    this.maxDepth = maxDepth;
  }

  parse(): ParsedJson {
    const value = this.value(this.skipSpace());
    this.skipSpace();
    if (this.position < this.text.length) throw this.unexpected('after top-level value');
    if (this.rangeError !== undefined) throw this.rangeError;
    return { value, duplicates: this.duplicates?.errors ?? [] };
  }

  /** Reads the value whose first character is `unit`, at the current position. */
  private value(unit: number): JsonValue {
    switch (unit) {
      case 0x22:
        return this.string();
      case 0x7b:
        return this.object();
      case 0x5b:
        return this.array();
      case 0x74:
        return this.word('true', true);
      case 0x66:
        return this.word('false', false);
      case 0x6e:
        return this.word('null', null);
      default:
        if (unit === 0x2d || (unit >= 0x30 && unit <= 0x39)) return this.number(unit);
        throw this.unexpected('looking for beginning of value');
    }
  }

  private object(): JsonObject {
    const object: JsonObject = {};
    const level = this.enter();
    let unit = this.skipSpace();
    if (unit === 0x7d) return this.leave(object);
    for (;;) {
      if (unit !== 0x22) throw this.unexpected('looking for beginning of object key string');
      const key = this.key();
      if (this.skipSpace() !== 0x3a) throw this.unexpected('after object key');
      this.position++;
      this.path[level] = key;
      this.duplicates?.moved(level);
      if (Object.hasOwn(object, key)) this.noteDuplicate(level);
      const value = this.value(this.skipSpace());
      if (key === '__proto__')
        Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
      else object[key] = value;
      unit = this.skipSpace();
      if (unit === 0x7d) return this.leave(object);
      if (unit !== 0x2c) throw this.unexpected('after object key:value pair');
      this.position++;
      unit = this.skipSpace();
    }
  }

  private array(): JsonValue[] {
    const array: JsonValue[] = [];
    const level = this.enter();
    let unit = this.skipSpace();
    if (unit === 0x5d) return this.leave(array);
    for (;;) {
      this.path[level] = array.length;
      this.duplicates?.moved(level);
      array.push(this.value(unit));
      unit = this.skipSpace();
      if (unit === 0x5d) return this.leave(array);
      if (unit !== 0x2c) throw this.unexpected('after array element');
      this.position++;
      unit = this.skipSpace();
    }
  }

  private enter(): number {
    const level = this.depth++;
    if (level >= this.maxDepth) throw this.unexpected('exceeded max depth');
    this.position++;
    return level;
  }

  private leave<T>(container: T): T {
    this.depth--;
    this.position++;
    return container;
  }

  private key(): string {
    const { text } = this;
    const start = this.position + 1;
    let i = start;
    let hash = 0;
    let unit = text.charCodeAt(i);
    while (unit !== 0x22 && unit !== 0x5c && unit >= 0x20) {
      hash = (hash * 31 + unit) | 0;
      unit = text.charCodeAt(++i);
    }
    this.position = i;
    if (unit !== 0x22) return this.stringWithEscapes(start);
    this.position++;
    return keyAt(text, start, i, hash);
  }

  private string(): string {
    const { text } = this;
    const start = this.position + 1;
    let i = start;
    let unit = text.charCodeAt(i);
    while (unit !== 0x22 && unit !== 0x5c && unit >= 0x20) unit = text.charCodeAt(++i);
    this.position = i;
    if (unit !== 0x22) return this.stringWithEscapes(start);
    this.position++;
    return text.slice(start, i);
  }

  /** Continues from the current position, which is not a plain character. */
  private stringWithEscapes(start: number): string {
    const { text } = this;
    let out = text.slice(start, this.position);
    for (;;) {
      const unit = text.charCodeAt(this.position);
      if (unit === 0x22) break;
      if (unit !== 0x5c) throw this.unexpected('in string literal');
      this.position++;
      out += this.escape();
      const plain = this.position;
      let next = text.charCodeAt(this.position);
      while (next !== 0x22 && next !== 0x5c && next >= 0x20) next = text.charCodeAt(++this.position);
      out += text.slice(plain, this.position);
    }
    this.position++;
    // Lone surrogates become U+FFFD, as in Go.
    return out.replace(/\p{Surrogate}/gu, '\ufffd');
  }

  private escape(): string {
    const unit = this.text.charCodeAt(this.position);
    if (unit === 0x75) return this.unicodeEscape();
    const plain = ESCAPES.get(unit);
    if (plain === undefined) throw this.unexpected('in string escape code');
    this.position++;
    return plain;
  }

  private unicodeEscape(): string {
    let code = 0;
    for (let digit = 0; digit < 4; digit++) {
      this.position++;
      const value = hexadecimalDigit(this.text.charCodeAt(this.position));
      if (value < 0) throw this.unexpected('in \\u hexadecimal character escape');
      code = code * 16 + value;
    }
    this.position++;
    return String.fromCharCode(code);
  }

  private number(first: number): number | bigint {
    const { text } = this;
    const start = this.position;
    let i = first === 0x2d ? start + 1 : start;
    const firstDigit = i;
    let unit = text.charCodeAt(i);
    let value = 0;
    if (unit === 0x30) unit = text.charCodeAt(++i);
    else {
      while (unit >= 0x30 && unit <= 0x39) {
        value = value * 10 + (unit - 0x30);
        unit = text.charCodeAt(++i);
      }
    }
    this.position = i;
    if (i === firstDigit) throw this.unexpected('in numeric literal');
    if (unit === 0x2e || unit === 0x65 || unit === 0x45) return this.float(start, unit);
    if (i - firstDigit > 15) return this.inRange(integerOf(text.slice(start, i)), start);
    return first === 0x2d && value !== 0 ? -value : value;
  }

  /** Continues from the decimal point or the exponent. */
  private float(start: number, unit: number): number | bigint {
    if (unit === 0x2e) {
      this.position++;
      this.digits('after decimal point in numeric literal');
    }
    const exponent = this.text.charCodeAt(this.position);
    if (exponent === 0x65 || exponent === 0x45) {
      const sign = this.text.charCodeAt(++this.position);
      if (sign === 0x2b || sign === 0x2d) this.position++;
      this.digits('in exponent of numeric literal');
    }
    return this.inRange(Number(this.text.slice(start, this.position)), start);
  }

  private digits(context: string): void {
    const start = this.position;
    let unit = this.text.charCodeAt(start);
    while (unit >= 0x30 && unit <= 0x39) unit = this.text.charCodeAt(++this.position);
    if (this.position === start) throw this.unexpected(context);
  }

  /**
   * Go checks the syntax of the whole text before it decodes, so a number that is too large is reported only
   * if the rest is JSON.
   */
  private inRange(value: number | bigint, start: number): number | bigint {
    if (value === Infinity || value === -Infinity)
      this.rangeError ??= numberOutOfRange(this.text.slice(start, this.position), start);
    return value;
  }

  private word<T>(word: string, value: T): T {
    for (let i = 1; i < word.length; i++) {
      this.position++;
      if (this.text.charCodeAt(this.position) !== word.charCodeAt(i))
        throw this.unexpected(`in literal ${word} (expecting '${word[i]}')`);
    }
    this.position++;
    return value;
  }

  /** Moves to the next character that is not white space and returns it (NaN at the end). */
  private skipSpace(): number {
    let unit = this.text.charCodeAt(this.position);
    while (unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09)
      unit = this.text.charCodeAt(++this.position);
    return unit;
  }

  private noteDuplicate(level: number): void {
    this.duplicates ??= new DuplicateFields();
    this.duplicates.note(this.path, level);
  }

  private unexpected(context: string): JsonParseError {
    return unexpectedCharacter(this.text, this.position, context);
  }
}

const ESCAPES: ReadonlyMap<number, string> = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(
    ([name, plain]) => [name.charCodeAt(0), plain],
  ),
);

function hexadecimalDigit(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
