/**
 * The string formats of OpenAPI that CEL gives meaning to: checks for uuid, byte, date and datetime, and
 * readers that turn strings of a schema with `format` into timestamps, durations and bytes. Readers return
 * undefined for what they cannot read.
 */
import { Timestamp } from '../values/time.ts';

export const uuidPattern = '(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$';
export const timePattern = '^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$';

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text);
}

export function isBase64(text: string): boolean {
  return text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}

export function isDate(text: string): boolean {
  return readDate(text) !== undefined;
}

/** Looser than reading: the letters may be small, and nobody checks the offset's range. */
export function isDateTime(text: string): boolean {
  const [date, time] = text.toLowerCase().split('t');
  if (date === undefined || time === undefined || !isDate(date)) return false;
  const match = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[^\n][0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})$/.exec(time);
  return match !== null && match[1]! <= '23' && match[2]! <= '59' && match[3]! <= '59';
}

const nanosPerSecond = 1_000_000_000n;

/** Nanoseconds since 1970 of `2024-02-29`. */
export function readDate(text: string): bigint | undefined {
  const match = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text);
  return match === null ? undefined : dayNanos(Number(match[1]), Number(match[2]), Number(match[3]));
}

function dayNanos(year: number, month: number, day: number): bigint | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (month < 1 || month > 12 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day)
    return undefined;
  return BigInt(date.getTime()) * 1_000_000n;
}

const dateTimeShape =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:[.,]([0-9]+))?(Z|[+-][0-9]{2}:[0-9]{2})?$/;

/** Without an offset the time is UTC; the empty string is 1970 itself. */
export function readDateTime(text: string): Timestamp | undefined {
  if (text === '') return new Timestamp(0n);
  const match = dateTimeShape.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const midnight = dayNanos(year, month, day);
  const offset = offsetSeconds(match[8] ?? 'Z');
  if (midnight === undefined || offset === undefined || hour > 23 || minute > 59 || second > 59)
    return undefined;
  const seconds = BigInt(hour * 3600 + minute * 60 + second - offset);
  return new Timestamp(
    midnight + seconds * nanosPerSecond + BigInt((match[7] ?? '').slice(0, 9).padEnd(9, '0')),
    offset,
  );
}

function offsetSeconds(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const [hours, minutes] = zone.slice(1).split(':').map(Number) as [number, number];
  if (hours > 24 || minutes > 60) return undefined;
  return (zone[0] === '-' ? -1 : 1) * (hours * 3600 + minutes * 60) + 0;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Bytes from base64 with the alphabet for URLs, because that is what the API server decodes with, although
 * its check of the format asks for the standard one: text with `+` or `/` passes the check and then has no
 * value.
 */
export function readBase64(text: string): Uint8Array | undefined {
  const clean = text.replace(/[\r\n]/g, '');
  const body = clean.replace(/={1,2}$/, '');
  if (clean.length % 4 !== 0 || body.length % 4 === 1) return undefined;
  const bytes = new Uint8Array(Math.floor((body.length * 3) / 4));
  let bits = 0;
  for (let at = 0; at < body.length; at++) {
    const sextet = alphabet.indexOf(body[at]!);
    if (sextet < 0) return undefined;
    bits = ((bits << 6) | sextet) & 0xffffff;
    if (at % 4 > 0) bytes[Math.floor((at * 3) / 4)] = (bits >> (6 - 2 * (at % 4))) & 0xff;
  }
  return bytes;
}
