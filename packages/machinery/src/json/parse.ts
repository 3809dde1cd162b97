// A strict JSON parser for what clients send: reports duplicate keys with their paths, keeps every int64
// exact, limits nesting, and explains syntax errors in the words of Go's encoding/json. Most bodies need none
// of this and are read by JSON.parse (parse-natively.ts). For our own bytes JSON.parse is enough.
import { decodeUtf8 } from '@instar/go';
import { setMember } from '../deep-copy.ts';
import type { JsonObject, JsonValue } from '../json-value.ts';
import { DuplicateFields } from './duplicate-fields.ts';
import { forgetKeys, keyAt } from './key-table.ts';
import { type JsonParseError, numberOutOfRange, unexpectedCharacter } from './parse-error.ts';
import { parseNatively } from './parse-natively.ts';
import { MAX_WHOLE_FLOATS, mayHoldFloat, type WholeFloatAt } from './whole-float.ts';

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
  /** Floats with a whole value; none if there are too many. */
  readonly wholeFloats?: readonly WholeFloatAt[];
}

const DEFAULT_MAX_DEPTH = 1000;
/**
 * V8 takes half a microsecond per key to list the keys of an object that has many, and cannot be interrupted
 * meanwhile.
 */
const MAX_MEMBERS_OF_LONG_TEXT = 50_000;
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;
/** A longer literal is not an int64. BigInt takes more than linear time for long ones. */
const MAX_INT64_CHARACTERS = 20;

/** Throws JsonParseError. */
export function parseJson(input: Uint8Array | string, options: ParseJsonOptions = {}): ParsedJson {
  const text = typeof input === 'string' ? input : decodeUtf8(input);
  const { maxDepth = DEFAULT_MAX_DEPTH } = options;
  const value = mayHoldFloat(text) ? undefined : parseNatively(text, maxDepth);
  return value === undefined ? parseExactly(text, maxDepth) : { value, duplicates: [] };
}

/** For text that JSON.parse cannot read exactly. */
export function parseExactly(text: string, maxDepth = DEFAULT_MAX_DEPTH): ParsedJson {
  try {
    const parser = new Parser(text, maxDepth);
    parser.advance();
    return parser.result;
  } catch (error) {
    forgetKeys();
    throw error;
  }
}

/** How much is read between pauses: about a millisecond of the densest text. */
const CHARACTERS_PER_STEP = 16 * 1024;

/** One object of a long text has more members than could be handled without delaying other work. */
export class TooManyMembersError extends Error {
  override readonly name = 'TooManyMembersError';
}

/**
 * The same as parseJson for a text so long that other work should be done meanwhile: `pause` is called after
 * every few characters. Throws TooManyMembersError too.
 */
export async function parseJsonInSteps(
  input: Uint8Array | string,
  pause: () => Promise<unknown>,
  { maxDepth = DEFAULT_MAX_DEPTH }: ParseJsonOptions = {},
): Promise<ParsedJson> {
  const text = typeof input === 'string' ? input : decodeUtf8(input);
  try {
    const parser = new Parser(text, maxDepth, MAX_MEMBERS_OF_LONG_TEXT);
    for (let to = CHARACTERS_PER_STEP; !parser.advance(to); to += CHARACTERS_PER_STEP) await pause();
    return parser.result;
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
  private readonly maxMembers: number;
  private position = 0;
  private depth = 0;
  /** `first`: a member or the end of its container. `next`: a member. `after`: a comma or the end. */
  private state: 'value' | 'first' | 'next' | 'after' | 'end' = 'value';
  private root: JsonValue | undefined;
  /** The lists and objects that have not ended. */
  private readonly open: (JsonObject | JsonValue[])[] = [];
  /** The key or index being read at every depth, for the paths of duplicates. */
  private readonly path: (string | number)[] = [];
  /** How many members the open object has at every depth. */
  private readonly members: number[] = [];
  private duplicates: DuplicateFields | undefined;
  private rangeError: JsonParseError | undefined;
  private readonly wholeFloats: WholeFloatAt[] = [];

  constructor(text: string, maxDepth: number, maxMembers = Number.POSITIVE_INFINITY) {
    this.text = text;
    this.maxDepth = maxDepth;
    this.maxMembers = maxMembers;
  }

  /** What has been parsed, once `advance` has returned true. */
  get result(): ParsedJson {
    const { root, wholeFloats } = this;
    const parsed = { value: root as JsonValue, duplicates: this.duplicates?.errors ?? [] };
    if (wholeFloats.length === 0 || wholeFloats.length > MAX_WHOLE_FLOATS) return parsed;
    return { ...parsed, wholeFloats };
  }

  /**
   * Reads on at least to position `to`, and then to the end of a token. True if that was the end of the text.
   * A loop rather than a recursion, so that the parser of a long text can stop anywhere.
   */
  advance(to = Number.POSITIVE_INFINITY): boolean {
    let unit = this.skipSpace();
    while (this.state !== 'end') {
      unit = this.step(unit);
      if (this.position >= to) return false;
    }
    if (this.position < this.text.length) throw this.unexpected('after top-level value');
    if (this.rangeError !== undefined) throw this.rangeError;
    return true;
  }

  /** Reads what starts with `unit`, at the current position; returns the first character after it. */
  private step(unit: number): number {
    switch (this.state) {
      case 'value':
        return this.startValue(unit);
      case 'first':
        return unit === 0x5d || unit === 0x7d ? this.closeEmpty(unit) : this.startMember(unit);
      case 'next':
        return this.startMember(unit);
      default:
        return this.afterValue(unit);
    }
  }

  private startValue(unit: number): number {
    if (unit === 0x7b || unit === 0x5b) {
      this.open.push(unit === 0x7b ? {} : []);
      this.enter();
      this.state = 'first';
      return this.skipSpace();
    }
    return this.add(this.scalar(unit));
  }

  /** An item of a list, or the key of a member. */
  private startMember(unit: number): number {
    const level = this.depth - 1;
    const inner = this.open[level]!;
    this.state = 'value';
    if (Array.isArray(inner)) {
      this.path[level] = inner.length;
      this.duplicates?.moved(level);
      return unit;
    }
    if (unit !== 0x22) throw this.unexpected('looking for beginning of object key string');
    const key = this.key();
    if (this.skipSpace() !== 0x3a) throw this.unexpected('after object key');
    this.position++;
    this.path[level] = key;
    this.duplicates?.moved(level);
    if (Object.hasOwn(inner, key)) this.noteDuplicate(level);
    else if (++this.members[level]! > this.maxMembers)
      throw new TooManyMembersError(`an object has more than ${this.maxMembers} fields`);
    return this.skipSpace();
  }

  private afterValue(unit: number): number {
    const isList = Array.isArray(this.open[this.depth - 1]);
    if (unit === (isList ? 0x5d : 0x7d)) return this.close();
    if (unit !== 0x2c) throw this.unexpected(isList ? 'after array element' : 'after object key:value pair');
    this.position++;
    this.state = 'next';
    return this.skipSpace();
  }

  private closeEmpty(unit: number): number {
    const isList = Array.isArray(this.open[this.depth - 1]);
    return isList === (unit === 0x5d) ? this.close() : this.startMember(unit);
  }

  private close(): number {
    this.depth--;
    this.position++;
    return this.add(this.open.pop()!);
  }

  /** Puts a complete value where it belongs. */
  private add(value: JsonValue): number {
    const level = this.depth - 1;
    if (level < 0) {
      this.root = value;
      this.state = 'end';
      return this.skipSpace();
    }
    const outer = this.open[level]!;
    if (Array.isArray(outer)) outer.push(value);
    else setMember(outer, this.path[level] as string, value);
    this.state = 'after';
    return this.skipSpace();
  }

  private scalar(unit: number): JsonValue {
    switch (unit) {
      case 0x22:
        return this.string();
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

  private enter(): void {
    this.members[this.depth] = 0;
    if (this.depth++ >= this.maxDepth) throw this.unexpected('exceeded max depth');
    this.position++;
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
    const text = this.text.slice(start, this.position);
    const value = Number(text);
    if (Number.isInteger(value) && this.wholeFloats.length <= MAX_WHOLE_FLOATS)
      this.wholeFloats.push({ path: this.path.slice(0, this.depth), text });
    return this.inRange(value, start);
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
