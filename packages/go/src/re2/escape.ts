// Parses escape sequences.
import { complement, DIGIT, SPACE, WORD } from './char-set.ts';
import type { Reader } from './reader.ts';
import { type CharSet, NotUnderstood, type PatternOptions } from './syntax.ts';

const NAMED: ReadonlyMap<string, CharSet> = new Map([
  ['d', DIGIT],
  ['w', WORD],
  ['s', SPACE],
  ['D', complement(DIGIT)],
  ['W', complement(WORD)],
  ['S', complement(SPACE)],
]);
const CONTROL: ReadonlyMap<string, number> = new Map([
  ['a', 7],
  ['f', 12],
  ['t', 9],
  ['n', 10],
  ['r', 13],
  ['v', 11],
]);

/** After the backslash. */
export function readEscape(reader: Reader, options: PatternOptions): CharSet {
  const hex = reader.match(/^x(?:\{([0-9A-Fa-f]{1,6})\}|([0-9A-Fa-f]{2}))/);
  if (hex !== undefined) return [single(Number.parseInt((hex[1] ?? hex[2])!, 16))];
  // A single non-zero digit would be a backreference, which RE2 does not have.
  const octal = reader.match(/^(?:0[0-7]{0,2}|[1-7][0-7]{1,2})/);
  if (octal !== undefined) return [single(Number.parseInt(octal[0]!, 8))];
  const category = reader.match(/^([pP])(?:\{(\^?)(\w+)\}|([A-Z]))/);
  if (category !== undefined) return unicodeClass(category, options);
  if (reader.atEnd) throw new NotUnderstood('a backslash at the end');
  const point = reader.next();
  const letter = String.fromCodePoint(point);
  const named = NAMED.get(letter);
  if (named !== undefined) return named;
  const control = CONTROL.get(letter);
  if (control !== undefined) return [single(control)];
  if (/[A-Za-z0-9]/.test(letter) || point > 127) throw new NotUnderstood(`the escape \\${letter}`);
  return [single(point)];
}

function unicodeClass([, letter, caret, long, short]: RegExpExecArray, options: PatternOptions): CharSet {
  const name = (long ?? short)!;
  const set = options.unicodeClass(name);
  if (set === undefined) throw new NotUnderstood(`the class ${name}`);
  return (letter === 'P') !== (caret === '^') ? complement(set) : set;
}

const single = (point: number): [number, number] => [point, point];
