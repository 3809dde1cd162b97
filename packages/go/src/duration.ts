// Durations as Go's time.ParseDuration reads them: `1h30m`, `1.5s`, `-10ms`; in nanoseconds.
import { parseDigits } from './number.ts';
import { quoteTime } from './quote-time.ts';

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);

const LIMIT = 2n ** 63n;
const PART = /(\d*)(\.?)(\d*)([^\d.]*)/y;

/** Nanoseconds, or Go's error message. */
export function parseGoDuration(text: string): bigint | string {
  const invalid = () => `time: invalid duration ${quoteTime(text)}`;
  const start = /^[-+]/.test(text) ? 1 : 0;
  if (text.length === start) return invalid();
  if (text.length === start + 1 && text[start] === '0') return 0n;
  let total = 0n;
  PART.lastIndex = start;
  while (PART.lastIndex < text.length) {
    const [, whole, , fraction, unit] = PART.exec(text) as unknown as [
      string,
      string,
      string,
      string,
      string,
    ];
    if (whole === '' && fraction === '') return invalid();
    const amount = parseDigits(whole, LIMIT);
    if (amount === undefined) return invalid();
    if (unit === '') return `time: missing unit in duration ${quoteTime(text)}`;
    const nanos = UNITS.get(unit);
    if (nanos === undefined) return `time: unknown unit ${quoteTime(unit)} in duration ${quoteTime(text)}`;
    total += amount * nanos + fractionNanos(fraction, nanos);
    if (total > LIMIT) return invalid();
  }
  if (text[0] === '-') return -total;
  return total < LIMIT ? total : invalid();
}

/** As Go calculates it: digits beyond int64 are truncated, and the rest is rounded as a float64. */
function fractionNanos(digits: string, unit: bigint): bigint {
  let value = 0n;
  let scale = 1;
  for (const digit of digits.slice(0, 20)) {
    if (value > (LIMIT - 1n) / 10n) break;
    const next = value * 10n + BigInt(digit);
    if (next > LIMIT) break;
    value = next;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(value) * (Number(unit) / scale)));
}
