// Reads a class of characters, after its opening bracket.
import { complement, POSIX, union } from './char-set.ts';
import { readEscape } from './escape.ts';
import type { Reader } from './reader.ts';
import { type CharSet, NotUnderstood } from './syntax.ts';

export function readClass(reader: Reader): CharSet {
  const isNegated = reader.take('^');
  const ranges: (readonly [number, number])[] = [];
  for (let first = true; first || !reader.sees(']'); first = false) {
    if (reader.atEnd) throw new NotUnderstood('a bracket that is not closed');
    ranges.push(...readMember(reader));
  }
  reader.take(']');
  const set = union(ranges);
  return isNegated ? complement(set) : set;
}

function readMember(reader: Reader): CharSet {
  const posix = reader.match(/^\[:(\^?)([a-z]+):\]/);
  if (posix !== undefined) return posixClass(posix[2]!, posix[1] === '^');
  const low = readOne(reader);
  if (!reader.sees('-') || reader.sees('-]')) return low;
  reader.take('-');
  const high = readOne(reader);
  if (low.length !== 1 || high.length !== 1 || low[0]![0] !== low[0]![1] || high[0]![0] < low[0]![0])
    throw new NotUnderstood('a range of classes');
  return [[low[0]![0], high[0]![0]]];
}

function readOne(reader: Reader): CharSet {
  if (reader.atEnd) throw new NotUnderstood('a bracket that is not closed');
  if (reader.take('\\')) return readEscape(reader);
  const point = reader.next();
  return [[point, point]];
}

function posixClass(name: string, isNegated: boolean): CharSet {
  const set = POSIX.get(name);
  if (set === undefined) throw new NotUnderstood(`the class ${name}`);
  return isNegated ? complement(set) : set;
}
