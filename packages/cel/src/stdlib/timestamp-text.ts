// Timestamps as text: RFC 3339, to the nanosecond.
import { CelError } from '../values/error.ts';
import { Timestamp } from '../values/time.ts';

const form = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:[.,](\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/;
const second = 1_000_000_000n;

export const minTimestamp = -62135596800n * second;
export const maxTimestamp = 253402300800n * second - 1n;

export const timestampOverflow = (): CelError => new CelError('timestamp overflow');

export function timestampOf(nanos: bigint): Timestamp | CelError {
  return nanos < minTimestamp || nanos > maxTimestamp ? timestampOverflow() : new Timestamp(nanos);
}

export function parseTimestamp(text: string): Timestamp | CelError {
  const match = form.exec(text);
  const seconds = match === null ? undefined : epochSeconds(match);
  if (match === null || seconds === undefined) return new CelError("type conversion error from 'string' to 'google.protobuf.Timestamp'");
  const fraction = (match[7] ?? '').slice(0, 9).padEnd(9, '0');
  return timestampOf(BigInt(seconds) * second + BigInt(fraction));
}

function epochSeconds(match: RegExpExecArray): number | undefined {
  const [year, month, day, hour, minute, seconds] = match.slice(1, 7).map(Number) as [number, number, number, number, number, number];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59 || seconds > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, seconds);
  const [offsetHours, offsetMinutes] = [Number(match[9] ?? 0), Number(match[10] ?? 0)];
  if (offsetHours > 24 || offsetMinutes > 60) return undefined;
  const offset = (offsetHours * 60 + offsetMinutes) * 60;
  return date.getTime() / 1000 - (match[8] === '-' ? -offset : offset);
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

export function formatTimestamp(timestamp: Timestamp): string {
  const date = new Date(millisOf(timestamp));
  const year = date.getUTCFullYear().toString().padStart(4, '0');
  const rest = date.toISOString().slice(date.toISOString().indexOf('-', 1), -5);
  const nanos = ((timestamp.nanos % second) + second) % second;
  const fraction = nanos.toString().padStart(9, '0').replace(/0+$/, '');
  return `${year}${rest}${fraction === '' ? '' : `.${fraction}`}Z`;
}
