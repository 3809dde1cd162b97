// Parses a character class, after its opening bracket.
import { complement, POSIX } from './char-set.ts';
import { readEscape } from './escape.ts';
import type { Reader } from './reader.ts';
import { type CharSet, NotUnderstood, type PatternOptions } from './syntax.ts';

export function readClass(reader: Reader, fold: (set: CharSet) => CharSet, options: PatternOptions): CharSet {
  const isNegated = reader.take('^');
  const ranges: (readonly [number, number])[] = [];
  for (let first = true; first || !reader.sees(']'); first = false) {
    if (reader.atEnd) throw new NotUnderstood('a bracket that is not closed');
    ranges.push(...readMember(reader, options));
  }
  reader.take(']');
  // The case is folded first: [^a] does not match A in a pattern that ignores case.
  const set = fold(ranges);
  return isNegated ? complement(set) : set;
}

function readMember(reader: Reader, options: PatternOptions): CharSet {
  const posix = reader.match(/^\[:(\^?)([a-z]+):\]/);
  if (posix !== undefined) return posixClass(posix[2]!, posix[1] === '^');
  const low = readOne(reader, options);
  if (!reader.sees('-') || reader.sees('-]')) return low;
  reader.take('-');
  const high = readOne(reader, options);
  if (low.length !== 1 || high.length !== 1 || low[0]![0] !== low[0]![1] || high[0]![0] < low[0]![0])
    throw new NotUnderstood('a range of classes');
  return [[low[0]![0], high[0]![0]]];
}

function readOne(reader: Reader, options: PatternOptions): CharSet {
  if (reader.atEnd) throw new NotUnderstood('a bracket that is not closed');
  if (reader.take('\\')) return readEscape(reader, options);
  const point = reader.next();
  return [[point, point]];
}

function posixClass(name: string, isNegated: boolean): CharSet {
  const set = POSIX.get(name);
  if (set === undefined) throw new NotUnderstood(`the class ${name}`);
  return isNegated ? complement(set) : set;
}
