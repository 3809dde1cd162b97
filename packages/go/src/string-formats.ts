// The string formats of OpenAPI that schemas and CEL both check, as strfmt of k8s.io/kube-openapi defines
// them. They are lenient: dates and times may be in lower case, and "3 days" is a duration.
import { parseGoDuration } from './duration.ts';
import { parseDigits } from './number.ts';
import { daysIn } from './time.ts';

const MAX_INT64 = 2n ** 63n - 1n;

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** The format uuid, of any version, with or without hyphens. */
export const isUuid = (text: string): boolean => UUID.test(text);

/** The format byte: standard base64 with padding; not empty. */
export function isByte(text: string): boolean {
  if (text.length === 0 || text.length % 4 !== 0) return false;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return /^[A-Za-z0-9+/]*$/.test(text.slice(0, text.length - padding));
}

/** The format date: `2024-02-29`. */
export function isDate(text: string): boolean {
  const parts = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text);
  if (parts === null) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

/** The format date-time. What follows a second "t" is ignored, as upstream does; so is the offset's range. */
export function isDateTime(text: string): boolean {
  const [date, time] = text.toLowerCase().split('t');
  if (time === undefined || !isDate(date!)) return false;
  const parts = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[^\n][0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})$/.exec(time);
  return parts !== null && parts[1]! <= '23' && parts[2]! <= '59' && parts[3]! <= '59';
}

const WORDS: readonly (readonly [variants: readonly string[], nanos: bigint])[] = [
  [['ns', 'nano'], 1n],
  [['us', 'µs', 'micro'], 1_000n],
  [['ms', 'milli'], 1_000_000n],
  [['s', 'sec'], 1_000_000_000n],
  [['m', 'min'], 60_000_000_000n],
  [['h', 'hr', 'hour'], 3_600_000_000_000n],
  [['d', 'day'], 86_400_000_000_000n],
  [['w', 'wk', 'week'], 604_800_000_000_000n],
];

/**
 * The format duration, in nanoseconds: Go's notation (`1h30m`), or whole numbers with units in words
 * (`3 days`, `2weeks`). Undefined for what is neither.
 */
export function parseDurationFormat(text: string): bigint | undefined {
  const nanos = parseGoDuration(text);
  return typeof nanos === 'bigint' ? nanos : wordyDuration(text);
}

/** Any text with a number and a unit somewhere is valid, and the rest is skipped, as upstream does. */
function wordyDuration(text: string): bigint | undefined {
  let total: bigint | undefined;
  // The lookbehind keeps this linear: a run of digits is matched from its first digit only.
  for (const [, digits, word] of text.matchAll(/(?<![0-9])([0-9]+)[\t\n\f\r ]*([A-Za-zµ]+)/g)) {
    const amount = parseDigits(digits!, MAX_INT64);
    if (amount === undefined) return undefined;
    for (const [variants, nanos] of WORDS) {
      const matches = unitMatches(word!.toLowerCase(), variants);
      if (matches > 0) total = BigInt.asIntN(64, (total ?? 0n) + amount * nanos * BigInt(matches));
    }
  }
  return total;
}

/** How often upstream counts a unit: the last of its names may be the beginning of a longer word. */
function unitMatches(word: string, variants: readonly string[]): number {
  const stem = variants.at(-1)!;
  return variants.filter((variant) => word === variant || (variant === stem && word.startsWith(stem))).length;
}
