// The character classes of RE2, reduced to code points that are worth generating: ASCII, and a handful beyond
// it.
import type { Ranges } from './syntax.ts';

const LAST = 0x10ffff;

export const DIGIT: Ranges = [[48, 57]];
export const WORD: Ranges = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
];
export const SPACE: Ranges = [
  [9, 10],
  [12, 13],
  [32, 32],
];
const UPPER: Ranges = [[65, 90]];
const LOWER: Ranges = [[97, 122]];
const ALPHA: Ranges = [...UPPER, ...LOWER];
const PUNCT: Ranges = [
  [33, 47],
  [58, 64],
  [91, 96],
  [123, 126],
];

const POSIX: Readonly<Record<string, Ranges>> = {
  alnum: [...DIGIT, ...ALPHA],
  alpha: ALPHA,
  ascii: [[0, 127]],
  blank: [
    [9, 9],
    [32, 32],
  ],
  cntrl: [
    [0, 31],
    [127, 127],
  ],
  digit: DIGIT,
  graph: [[33, 126]],
  lower: LOWER,
  print: [[32, 126]],
  punct: PUNCT,
  space: [
    [9, 13],
    [32, 32],
  ],
  upper: UPPER,
  word: WORD,
  xdigit: [...DIGIT, [65, 70], [97, 102]],
};

/** By their first letter: well-known members of a Unicode category. */
const CATEGORIES: Readonly<Record<string, Ranges>> = {
  L: [...ALPHA, [0xe0, 0xf6]],
  Lu: [...UPPER, [0xc0, 0xd6]],
  Ll: [...LOWER, [0xe0, 0xf6]],
  N: DIGIT,
  Nd: DIGIT,
  P: [
    [33, 35],
    [37, 42],
    [44, 47],
    [58, 59],
  ],
  S: [
    [36, 36],
    [43, 43],
    [60, 62],
  ],
  Z: [[32, 32]],
  M: [[0x300, 0x36f]],
  C: [[0, 31]],
};

export const posixClass = (name: string): Ranges | undefined =>
  Object.hasOwn(POSIX, name) ? POSIX[name] : undefined;

export function unicodeClass(name: string): Ranges | undefined {
  if (Object.hasOwn(CATEGORIES, name)) return CATEGORIES[name];
  const major = name.slice(0, 1);
  if (name.length <= 2 && Object.hasOwn(CATEGORIES, major)) return CATEGORIES[major];
  return name === 'Latin' ? ALPHA : undefined;
}

export function negated(ranges: Ranges): Ranges {
  const sorted = [...ranges].sort(([a], [b]) => a - b);
  const gaps: [number, number][] = [];
  let next = 0;
  for (const [low, high] of sorted) {
    if (low > next) gaps.push([next, low - 1]);
    next = Math.max(next, high + 1);
  }
  if (next <= LAST) gaps.push([next, LAST]);
  return gaps;
}

/** Adds the other case of ASCII letters. */
export function foldedCase(ranges: Ranges): Ranges {
  const other = ranges.flatMap(([low, high]) => [
    ...shifted(Math.max(low, 65), Math.min(high, 90), 32),
    ...shifted(Math.max(low, 97), Math.min(high, 122), -32),
  ]);
  return [...ranges, ...other];
}

const shifted = (low: number, high: number, by: number): [number, number][] =>
  low <= high ? [[low + by, high + by]] : [];
