/**
 * How long a string can be after replace(): from the sizes of the string, of what is replaced and of the
 * replacement.
 */
import { addRange, multiplyRange, type Range, saturate } from '../cost/range.ts';

interface Replacement {
  /** The number of replacements. */
  readonly count: number;
  /** How much of the original is kept. */
  readonly kept: number;
}

export function estimateReplacement(text: Range, from: Range, to: Range): Range {
  const longest = outcome(text.max, from.min, to.max <= from.min);
  const shortest = outcome(text.min, from.max, from.max <= to.min);
  const count = { min: shortest.count, max: longest.count };
  return addRange(multiplyRange(count, to), { min: shortest.kept, max: longest.kept });
}

function outcome(length: number, replaced: number, keepsLength: boolean): Replacement {
  // Replacing the empty string inserts the replacement around every character.
  if (replaced === 0) return { count: saturate(length + 1), kept: length };
  return keepsLength ? { count: 0, kept: length } : { count: Math.ceil(length / replaced), kept: 0 };
}
