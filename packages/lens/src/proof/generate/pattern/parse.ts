// Parses RE2's syntax into a tree from which strings can be generated. It refuses nothing that RE2 accepts,
// except what it does not know: then the caller tries random strings. Results are always checked by the real
// matcher, so being lenient here does no harm.
import { DIGIT, foldedCase, negated, posixClass, SPACE, unicodeClass, WORD } from './classes.ts';
import { NOTHING, type PatternNode, type Ranges } from './syntax.ts';

class Unreadable extends Error {}

export function parsePattern(pattern: string): PatternNode | undefined {
  try {
    return new PatternParser(pattern).parse();
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

const MAX_REPEATS = 1000;
const ESCAPED: Readonly<Record<string, number>> = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 };

class PatternParser {
  readonly #points: readonly string[];
  #at = 0;
  #ignoresCase = false;

  constructor(pattern: string) {
    this.#points = [...pattern];
  }

  parse(): PatternNode {
    const node = this.#choice();
    if (this.#at < this.#points.length) throw new Unreadable();
    return node;
  }

  #peek(text: string): boolean {
    for (let offset = 0; offset < text.length; offset++)
      if (this.#points[this.#at + offset] !== text[offset]) return false;
    return true;
  }

  #take(text: string): boolean {
    if (!this.#peek(text)) return false;
    this.#at += text.length;
    return true;
  }

  #next(): string {
    const point = this.#points[this.#at++];
    if (point === undefined) throw new Unreadable();
    return point;
  }

  #choice(): PatternNode {
    const branches = [this.#sequence()];
    while (this.#take('|')) branches.push(this.#sequence());
    return branches.length === 1 ? branches[0]! : { kind: 'choice', branches };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.#points.length && !this.#peek('|') && !this.#peek(')')) {
      if (this.#take('\\Q')) parts.push(...this.#quoted());
      else parts.push(this.#repeated(this.#atom()));
    }
    return parts.length === 1 ? parts[0]! : { kind: 'sequence', parts };
  }

  #quoted(): PatternNode[] {
    const parts: PatternNode[] = [];
    while (this.#at < this.#points.length && !this.#take('\\E'))
      parts.push(this.#literal(this.#next().codePointAt(0)!));
    return parts;
  }

  #literal(point: number): PatternNode {
    return this.#class([[point, point]]);
  }

  #class(ranges: Ranges): PatternNode {
    return { kind: 'class', ranges: this.#ignoresCase ? foldedCase(ranges) : ranges };
  }

  #repeated(inner: PatternNode): PatternNode {
    let node = inner;
    for (let bounds = this.#bounds(); bounds !== undefined; bounds = this.#bounds()) {
      this.#take('?');
      node = { kind: 'repeat', inner: node, ...bounds };
    }
    return node;
  }

  #bounds(): { min: number; max: number } | undefined {
    if (this.#take('*')) return { min: 0, max: MAX_REPEATS };
    if (this.#take('+')) return { min: 1, max: MAX_REPEATS };
    if (this.#take('?')) return { min: 0, max: 1 };
    if (!this.#peek('{')) return undefined;
    const end = this.#points.indexOf('}', this.#at);
    const counts =
      end < 0 ? null : /^\{([0-9]+)(,?)([0-9]*)$/.exec(this.#points.slice(this.#at, end).join(''));
    if (counts === null) return undefined;
    this.#at = end + 1;
    const min = Number(counts[1]);
    if (counts[2] === '') return { min, max: min };
    return { min, max: counts[3] === '' ? MAX_REPEATS : Number(counts[3]) };
  }

  #atom(): PatternNode {
    const point = this.#next();
    switch (point) {
      case '(':
        return this.#group();
      case '[':
        return this.#class(this.#bracket());
      case '.':
        return { kind: 'class', ranges: [[32, 126]] };
      case '^':
      case '$':
        return NOTHING;
      case '\\':
        return this.#escape();
      default:
        return this.#literal(point.codePointAt(0)!);
    }
  }

  #group(): PatternNode {
    const outer = this.#ignoresCase;
    if (this.#take('?') && !this.#take('P<') && !this.#take('<')) {
      const endsHere = this.#flags();
      if (endsHere) return NOTHING;
    } else if (this.#points[this.#at - 1] === '<') {
      while (this.#next() !== '>');
    }
    const node = this.#choice();
    if (!this.#take(')')) throw new Unreadable();
    this.#ignoresCase = outer;
    return node;
  }

  /** True if the flags apply to the rest of the surrounding group: (?i) rather than (?i:…). */
  #flags(): boolean {
    let value = true;
    for (let flag = this.#next(); flag !== ':'; flag = this.#next()) {
      if (flag === ')') return true;
      if (flag === '-') value = false;
      else if (flag === 'i') this.#ignoresCase = value;
      else if (!'msU'.includes(flag)) throw new Unreadable();
    }
    return false;
  }

  #escape(): PatternNode {
    if (this.#take('b') || this.#take('B') || this.#take('A') || this.#take('z')) return NOTHING;
    return this.#class(this.#escapedClass());
  }

  /** After a backslash: a class, or one character. */
  #escapedClass(): Ranges {
    const point = this.#next();
    switch (point) {
      case 'd':
        return DIGIT;
      case 'D':
        return negated(DIGIT);
      case 'w':
        return WORD;
      case 'W':
        return negated(WORD);
      case 's':
        return SPACE;
      case 'S':
        return negated(SPACE);
      case 'p':
      case 'P':
        return this.#category(point === 'P');
      default:
        return single(this.#escapedPoint(point));
    }
  }

  #category(isNegated: boolean): Ranges {
    let name = this.#next();
    if (name === '{') for (name = ''; !this.#take('}'); ) name += this.#next();
    const ranges = unicodeClass(name.replace('^', ''));
    if (ranges === undefined) throw new Unreadable();
    return isNegated !== name.startsWith('^') ? negated(ranges) : ranges;
  }

  #escapedPoint(point: string): number {
    if (Object.hasOwn(ESCAPED, point)) return ESCAPED[point]!;
    if (point === 'x') return this.#hex();
    if (/[0-7]/.test(point)) return Number.parseInt(point, 8);
    if (/[A-Za-z]/.test(point)) throw new Unreadable();
    return point.codePointAt(0)!;
  }

  #hex(): number {
    let digits = '';
    if (this.#take('{')) while (!this.#take('}')) digits += this.#next();
    else digits = this.#next() + this.#next();
    return Number.parseInt(digits, 16);
  }

  #bracket(): Ranges {
    const isNegated = this.#take('^');
    const ranges: (readonly [number, number])[] = [];
    for (let first = true; first || !this.#take(']'); first = false) ranges.push(...this.#bracketItem());
    return isNegated ? negated(this.#ignoresCase ? foldedCase(ranges) : ranges) : ranges;
  }

  #bracketItem(): Ranges {
    if (this.#take('[:')) return this.#posix();
    const low = this.#bracketEnd();
    const isRange =
      this.#peek('-') && this.#points[this.#at + 1] !== ']' && low.length === 1 && low[0]![0] === low[0]![1];
    if (!isRange) return low;
    this.#at++;
    const high = this.#bracketEnd();
    return [[low[0]![0], high[0]![1]]];
  }

  #bracketEnd(): Ranges {
    const point = this.#next();
    return point === '\\' ? this.#escapedClass() : single(point.codePointAt(0)!);
  }

  #posix(): Ranges {
    let name = '';
    while (!this.#take(':]')) name += this.#next();
    const ranges = posixClass(name.replace('^', ''));
    if (ranges === undefined) throw new Unreadable();
    return name.startsWith('^') ? negated(ranges) : ranges;
  }
}

const single = (point: number): Ranges => [[point, point]];
