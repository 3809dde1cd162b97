// The Unicode classes of RE2, reduced to code points that are worth generating: ASCII, and a few beyond it.
import type { CharSet } from '@instar/go';

const DIGIT: CharSet = [[48, 57]];
const UPPER: CharSet = [[65, 90]];
const LOWER: CharSet = [[97, 122]];
const ALPHA: CharSet = [...UPPER, ...LOWER];

/** By their first letter: well-known members of a Unicode category. */
const CATEGORIES: Readonly<Record<string, CharSet>> = {
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

export function unicodeClass(name: string): CharSet | undefined {
  if (Object.hasOwn(CATEGORIES, name)) return CATEGORIES[name];
  const major = name.slice(0, 1);
  if (name.length <= 2 && Object.hasOwn(CATEGORIES, major)) return CATEGORIES[major];
  return name === 'Latin' ? ALPHA : undefined;
}
