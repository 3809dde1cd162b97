// Parses a pattern in RE2's syntax. Throws NotUnderstood for what the tree cannot represent, and for
// malformed patterns.
import { ANY, folded, foldsExactly, NOT_NEWLINE, union } from './char-set.ts';
import { readEscape } from './escape.ts';
import { readClass } from './parse-class.ts';
import { Reader } from './reader.ts';
import { type CharSet, EXACT, NotUnderstood, type Pattern, type PatternOptions } from './syntax.ts';

interface Flags {
  readonly ignoreCase: boolean;
  readonly dotAll: boolean;
  readonly multiLine: boolean;
}

/** The tree of a pattern. Throws NotUnderstood. */
export function parsePattern(text: string, options: PatternOptions = EXACT): Pattern {
  const parser = new PatternParser(new Reader(text), options);
  const pattern = parser.choice({ ignoreCase: false, dotAll: false, multiLine: false });
  if (!parser.reader.atEnd) throw new NotUnderstood('unbalanced parentheses');
  return pattern;
}

const MAX_REPEATS = 1000;

class PatternParser {
  readonly reader: Reader;
  readonly #options: PatternOptions;

  constructor(reader: Reader, options: PatternOptions) {
    this.reader = reader;
    this.#options = options;
  }

  choice(flags: Flags): Pattern {
    const parts = [this.sequence(flags)];
    while (this.reader.take('|')) parts.push(this.sequence(flags));
    return parts.length === 1 ? parts[0]! : { kind: 'choice', parts };
  }

  private sequence(given: Flags): Pattern {
    const parts: Pattern[] = [];
    let flags = given;
    while (!this.reader.atEnd && !this.reader.sees('|') && !this.reader.sees(')')) {
      const switched = this.flagSwitch(flags);
      if (switched === undefined && this.reader.take('\\Q')) {
        parts.push(...this.quoted(flags));
        continue;
      }
      if (switched === undefined) parts.push(this.repeated(this.atom(flags)));
      else flags = switched;
    }
    return parts.length === 1 ? parts[0]! : { kind: 'sequence', parts };
  }

  /** Literal text up to \\E; a repetition after it applies to the last character. */
  private quoted(flags: Flags): Pattern[] {
    const parts: Pattern[] = [];
    while (!this.reader.atEnd && !this.reader.take('\\E')) {
      const point = this.reader.next();
      parts.push({ kind: 'set', set: this.fold([[point, point]], flags) });
    }
    const last = parts.pop();
    return last === undefined ? parts : [...parts, this.repeated(last)];
  }

  /** (?i) applies to the end of the group. */
  private flagSwitch(flags: Flags): Flags | undefined {
    const found = this.reader.match(/^\(\?([a-zA-Z-]+)\)/);
    return found === undefined ? undefined : withFlags(flags, found[1]!);
  }

  private repeated(atom: Pattern): Pattern {
    let part = atom;
    for (;;) {
      const range = this.range();
      if (range === undefined) return part;
      // Lazy or greedy: the language is the same.
      this.reader.take('?');
      part = { kind: 'repeat', part, ...range };
    }
  }

  private range(): { min: number; max: number } | undefined {
    if (this.reader.take('*')) return { min: 0, max: Number.POSITIVE_INFINITY };
    if (this.reader.take('+')) return { min: 1, max: Number.POSITIVE_INFINITY };
    if (this.reader.take('?')) return { min: 0, max: 1 };
    const found = this.reader.match(/^\{(\d+)(,(\d*))?\}/);
    if (found === undefined) return undefined;
    const min = Number(found[1]);
    const max = found[2] === undefined ? min : found[3] === '' ? Number.POSITIVE_INFINITY : Number(found[3]);
    if (min > MAX_REPEATS || (max !== Number.POSITIVE_INFINITY && max > MAX_REPEATS) || max < min)
      throw new NotUnderstood('repetition out of range');
    return { min, max };
  }

  private atom(flags: Flags): Pattern {
    if (this.reader.take('(')) return this.group(flags);
    if (this.reader.take('['))
      return { kind: 'set', set: readClass(this.reader, (set) => this.fold(set, flags), this.#options) };
    if (this.reader.take('.')) return { kind: 'set', set: flags.dotAll ? ANY : NOT_NEWLINE };
    if (this.reader.take('^')) return { kind: flags.multiLine ? 'lineBegin' : 'begin' };
    if (this.reader.take('$')) return { kind: flags.multiLine ? 'lineEnd' : 'end' };
    if (this.reader.take('\\')) return this.escape(flags);
    if (this.reader.sees('*') || this.reader.sees('+') || this.reader.sees('?'))
      throw new NotUnderstood('nothing to repeat');
    const point = this.reader.next();
    return { kind: 'set', set: this.fold([[point, point]], flags) };
  }

  private group(flags: Flags): Pattern {
    let inner = flags;
    const found = this.reader.match(/^\?(?:P?<[A-Za-z0-9_]+>|([a-zA-Z-]*):)/);
    if (found?.[1] !== undefined) inner = withFlags(flags, found[1]);
    else if (found === undefined && this.reader.sees('?')) throw new NotUnderstood('unknown kind of group');
    const body = this.choice(inner);
    if (!this.reader.take(')')) throw new NotUnderstood('unbalanced parentheses');
    return body;
  }

  private escape(flags: Flags): Pattern {
    if (this.reader.take('A')) return { kind: 'begin' };
    if (this.reader.take('z')) return { kind: 'end' };
    if (this.reader.take('b')) return { kind: 'wordBoundary' };
    if (this.reader.take('B')) return { kind: 'noWordBoundary' };
    return { kind: 'set', set: this.fold(readEscape(this.reader, this.#options), flags) };
  }

  private fold(set: CharSet, { ignoreCase }: Flags): CharSet {
    if (!ignoreCase) return union(set);
    if (!this.#options.foldsAsciiOnly && !foldsExactly(set))
      throw new NotUnderstood('upper and lower case of letters beyond ASCII');
    return folded(set);
  }
}

function withFlags(flags: Flags, text: string): Flags {
  const [on = '', off = ''] = text.split('-');
  if (/[^imsU]/.test(on + off)) throw new NotUnderstood(`the flags ${text}`);
  const read = (letter: string, was: boolean): boolean =>
    on.includes(letter) ? true : off.includes(letter) ? false : was;
  return {
    ignoreCase: read('i', flags.ignoreCase),
    dotAll: read('s', flags.dotAll),
    multiLine: read('m', flags.multiLine),
  };
}
