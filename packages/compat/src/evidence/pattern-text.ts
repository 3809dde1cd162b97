// Generates a random string that a pattern matches.
import { type CharSet, LAST, NotUnderstood, type Pattern, parsePattern } from '@instar/go';
import type { Random } from './random.ts';

/** Undefined for patterns that are not supported. */
export function textMatching(pattern: string, random: Random): string | undefined {
  try {
    return write(parsePattern(pattern), random);
  } catch (error) {
    if (error instanceof NotUnderstood) return undefined;
    throw error;
  }
}

function write(pattern: Pattern, random: Random): string {
  switch (pattern.kind) {
    case 'begin':
    case 'end':
    case 'lineBegin':
    case 'lineEnd':
    case 'wordBoundary':
    case 'noWordBoundary':
      return '';
    case 'set':
      return letterOf(pattern.set, random);
    case 'sequence':
      return pattern.parts.map((part) => write(part, random)).join('');
    case 'choice':
      return write(random.pick(pattern.parts), random);
    case 'repeat': {
      const times = random.between(pattern.min, Math.min(pattern.max, pattern.min + 3));
      return Array.from({ length: times }, () => write(pattern.part, random)).join('');
    }
  }
}

/** Printable if possible. */
function letterOf(set: CharSet, random: Random): string {
  const printable = set.flatMap(([low, high]): [number, number][] =>
    Math.max(low, 33) <= Math.min(high, 126) ? [[Math.max(low, 33), Math.min(high, 126)]] : [],
  );
  const [low, high] = random.pick(
    printable.length > 0 ? printable : set.length > 0 ? set : ([[LAST, LAST]] as const),
  );
  return String.fromCodePoint(random.between(low, Math.min(high, low + 1000)));
}
