/**
 * Durations of the OpenAPI format `duration`: Go's notation (`1h30m`, `1.5s`), or whole numbers with units in
 * words (`3 days`, `2weeks`).
 */
import { parseDuration } from '../stdlib/duration-text.ts';
import { Duration } from '../values.ts';

const words: readonly (readonly [variants: readonly string[], nanos: bigint])[] = [
  [['ns', 'nano'], 1n],
  [['us', 'µs', 'micro'], 1_000n],
  [['ms', 'milli'], 1_000_000n],
  [['s', 'sec'], 1_000_000_000n],
  [['m', 'min'], 60_000_000_000n],
  [['h', 'hr', 'hour'], 3_600_000_000_000n],
  [['d', 'day'], 86_400_000_000_000n],
  [['w', 'wk', 'week'], 604_800_000_000_000n],
];

export function readDuration(text: string): Duration | undefined {
  const duration = parseDuration(text);
  if (duration instanceof Duration) return duration;
  const nanos = readWordyDuration(text);
  return nanos === undefined ? undefined : new Duration(nanos);
}

/** Anything that has a number and a unit somewhere counts, and the rest is skipped, as upstream skips it. */
function readWordyDuration(text: string): bigint | undefined {
  let total: bigint | undefined;
  for (const [, count, word] of text.matchAll(/([0-9]+)\s*([A-Za-zµ]+)/g)) {
    if (BigInt(count!) !== BigInt.asIntN(64, BigInt(count!))) return undefined;
    for (const [variants, nanos] of words) {
      const matches = variants.filter((variant, index) =>
        isUnit(word!.toLowerCase(), variant, index === variants.length - 1),
      ).length;
      if (matches > 0) total = BigInt.asIntN(64, (total ?? 0n) + BigInt(count!) * nanos * BigInt(matches));
    }
  }
  return total;
}

function isUnit(word: string, variant: string, isStem: boolean): boolean {
  return word === variant || (isStem && word.startsWith(variant));
}
