// What a backslash and what follows stand for.
import { complement, DIGIT, SPACE, WORD } from './char-set.ts';
import type { Reader } from './reader.ts';
import { type CharSet, NotUnderstood } from './syntax.ts';

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
export function readEscape(reader: Reader): CharSet {
  const hex = reader.match(/^x(?:\{([0-9A-Fa-f]{1,6})\}|([0-9A-Fa-f]{2}))/);
  if (hex !== undefined) return [single(Number.parseInt((hex[1] ?? hex[2])!, 16))];
  const octal = reader.match(/^0[0-7]{0,2}/);
  if (octal !== undefined) return [single(Number.parseInt(octal[0]!, 8))];
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

const single = (point: number): [number, number] => [point, point];
