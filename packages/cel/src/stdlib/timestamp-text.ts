// Timestamps as text: RFC 3339, to the nanosecond.
import { CelError } from '../values/error.ts';
import { Timestamp } from '../values/time.ts';

const form = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:[.,](\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/;
const second = 1_000_000_000n;

export const minTimestamp = -62135596800n * second;
export const maxTimestamp = 253402300800n * second - 1n;

export const timestampOverflow = (): CelError => new CelError('timestamp overflow');

export function timestampOf(nanos: bigint, offset = 0): Timestamp | CelError {
  return nanos < minTimestamp || nanos > maxTimestamp ? timestampOverflow() : new Timestamp(nanos, offset);
}

export function parseTimestamp(text: string): Timestamp | CelError {
  const match = form.exec(text);
  const local = match === null ? undefined : localSeconds(match);
  const offset =
    match === null ? undefined : offsetSeconds(match[8], Number(match[9] ?? 0), Number(match[10] ?? 0));
  if (local === undefined || offset === undefined)
    return new CelError("type conversion error from 'string' to 'google.protobuf.Timestamp'");
  const fraction = (match![7] ?? '').slice(0, 9).padEnd(9, '0');
  return timestampOf(BigInt(local - offset) * second + BigInt(fraction), offset);
}

function localSeconds(match: RegExpExecArray): number | undefined {
  const [year, month, day, hour, minute, seconds] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (
    month < 1 ||
    month > 12 ||
    day < 1 ||
    day > daysIn(year, month) ||
    hour > 23 ||
    minute > 59 ||
    seconds > 59
  )
    return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, seconds);
  return date.getTime() / 1000;
}

function offsetSeconds(sign: string | undefined, hours: number, minutes: number): number | undefined {
  if (hours > 24 || minutes > 60) return undefined;
  return (sign === '-' ? -60 : 60) * (hours * 60 + minutes) + 0;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Milliseconds since the epoch, rounded down, for Date. */
export function millisOf(timestamp: Timestamp): number {
  const { nanos } = timestamp;
  const millis = nanos / 1_000_000n;
  return Number(nanos < 0n && nanos % 1_000_000n !== 0n ? millis - 1n : millis);
}

/** In the time zone that it was written in. */
export function formatTimestamp(timestamp: Timestamp): string {
  const date = new Date(millisOf(timestamp) + timestamp.offset * 1000);
  const year = date.getUTCFullYear().toString().padStart(4, '0');
  const rest = date.toISOString().slice(date.toISOString().indexOf('-', 1), -5);
  const nanos = ((timestamp.nanos % second) + second) % second;
  const fraction = nanos.toString().padStart(9, '0').replace(/0+$/, '');
  return `${year}${rest}${fraction === '' ? '' : `.${fraction}`}${formatOffset(timestamp.offset)}`;
}

function formatOffset(offset: number): string {
  if (offset === 0) return 'Z';
  const minutes = Math.abs(offset) / 60;
  const twoDigits = (part: number): string => part.toString().padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}
