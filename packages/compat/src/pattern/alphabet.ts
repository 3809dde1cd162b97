// Characters that no pattern distinguishes are one letter: the automata are compared over a handful of
// letters instead of a million code points.
import { type CharSet, has, LAST } from '@instar/go';

/** One character for each letter, readable ones first. */
export function lettersOf(sets: readonly CharSet[]): number[] {
  const distinct = [
    ...new Map(sets.map((set) => [set.map((range) => range.join('-')).join(','), set])).values(),
  ];
  const bounds = new Set([0, ...READABLE]);
  for (const set of distinct) for (const [low, high] of set) bounds.add(low).add(high + 1);
  const letters = new Map<string, number>();
  for (const point of [...READABLE, ...bounds]) {
    if (point > LAST || (point >= 0xd800 && point <= 0xdfff)) continue;
    const signature = distinct.map((set) => (has(set, point) ? '1' : '0')).join('');
    if (!letters.has(signature)) letters.set(signature, point);
  }
  return [...letters.values()];
}

const READABLE = [...'aA0-._/:*b1Zz9 @'].map((letter) => letter.codePointAt(0)!);
