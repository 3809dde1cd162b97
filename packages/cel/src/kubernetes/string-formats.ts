/**
 * Strings of a schema with the formats date and date-time, parsed to timestamps: undefined for invalid ones.
 * Parsing is stricter than the validation of the formats.
 */
import { isDate, parseRfc3339 } from '@instar/go';
import { Timestamp } from '../values/time.ts';

/** The length of these determines the cost of checking the formats. */
export const uuidPattern = '(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$';
export const timePattern = '^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$';

/** Nanoseconds since 1970 of `2024-02-29`. */
export function readDate(text: string): bigint | undefined {
  return isDate(text) ? BigInt(Date.parse(text)) * 1_000_000n : undefined;
}

/** Without an offset the time is UTC; the empty string is the beginning of 1970. */
export function readDateTime(text: string): Timestamp | undefined {
  if (text === '') return new Timestamp(0n);
  const zoned = parseRfc3339(text);
  const time = 'fault' in zoned ? parseRfc3339(`${text}Z`) : zoned;
  if ('fault' in time) return undefined;
  return new Timestamp(BigInt(time.seconds) * 1_000_000_000n + BigInt(time.nanoseconds), time.offset);
}
