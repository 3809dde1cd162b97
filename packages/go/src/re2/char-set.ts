// Sets of code points as ranges, and the classes of RE2 that have names.
import type { CharSet } from './syntax.ts';

/** The last code point of Unicode. */
export const LAST = 0x10ffff;

/** Every code point. */
export const ANY: CharSet = [[0, LAST]];
export const DIGIT: CharSet = [[48, 57]];
export const WORD: CharSet = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
];
export const SPACE: CharSet = [
  [9, 10],
  [12, 13],
  [32, 32],
];

/** Every code point except the newline: `.` without the flag s. */
export const NOT_NEWLINE: CharSet = [
  [0, 9],
  [11, LAST],
];

export const POSIX: ReadonlyMap<string, CharSet> = new Map<string, CharSet>([
  [
    'alnum',
    union([
      [48, 57],
      [65, 90],
      [97, 122],
    ]),
  ],
  [
    'alpha',
    union([
      [65, 90],
      [97, 122],
    ]),
  ],
  ['ascii', [[0, 127]]],
  [
    'blank',
    union([
      [9, 9],
      [32, 32],
    ]),
  ],
  [
    'cntrl',
    union([
      [0, 31],
      [127, 127],
    ]),
  ],
  ['digit', DIGIT],
  ['graph', [[33, 126]]],
  ['lower', [[97, 122]]],
  ['print', [[32, 126]]],
  [
    'punct',
    union([
      [33, 47],
      [58, 64],
      [91, 96],
      [123, 126],
    ]),
  ],
  [
    'space',
    union([
      [9, 13],
      [32, 32],
    ]),
  ],
  ['upper', [[65, 90]]],
  ['word', WORD],
  [
    'xdigit',
    union([
      [48, 57],
      [65, 70],
      [97, 102],
    ]),
  ],
]);

/** Sorted, with adjacent ranges merged. */
export function union(ranges: CharSet): CharSet {
  const merged: [number, number][] = [];
  for (const [low, high] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && low <= last[1] + 1) last[1] = Math.max(last[1], high);
    else merged.push([low, high]);
  }
  return merged;
}

export function complement(set: CharSet): CharSet {
  const rest: [number, number][] = [];
  let from = 0;
  for (const [low, high] of union(set)) {
    if (low > from) rest.push([from, low - 1]);
    from = high + 1;
  }
  if (from <= LAST) rest.push([from, LAST]);
  return rest;
}

/** Whether a set contains a code point. */
export function has(set: CharSet, point: number): boolean {
  return set.some(([low, high]) => point >= low && point <= high);
}

/** With the other case of ASCII letters. */
export function folded(set: CharSet): CharSet {
  const shift = (from: number, to: number, by: number): [number, number][] =>
    set.flatMap(([low, high]) =>
      Math.max(low, from) <= Math.min(high, to) ? [[Math.max(low, from) + by, Math.min(high, to) + by]] : [],
    );
  return union([...set, ...shift(65, 90, 32), ...shift(97, 122, -32)]);
}

/** Beyond ASCII RE2 folds more characters than `folded` does, unless the set contains all of them. */
export function foldsExactly(set: CharSet): boolean {
  return !set.some(([low, high]) => high > 127 && !(low <= 128 && high === LAST));
}
