// Parses patterns for generating strings. Results are always checked by the real matcher, so being lenient
// here does no harm.
import { NotUnderstood, type Pattern, parsePattern } from '@instar/go';
import { unicodeClass } from './classes.ts';

/** Undefined for what is not understood: then the caller tries random strings. */
export function patternTreeOf(pattern: string): Pattern | undefined {
  try {
    return parsePattern(pattern, { unicodeClass, foldsAsciiOnly: true });
  } catch (error) {
    if (error instanceof NotUnderstood) return undefined;
    throw error;
  }
}
