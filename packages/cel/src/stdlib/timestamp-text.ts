// Timestamps as text: RFC 3339, to the nanosecond.
import { parseRfc3339 } from '@instar/go';
import { CelError } from '../values/error.ts';
import { Timestamp } from '../values/time.ts';

const second = 1_000_000_000n;

export const minTimestamp = -62135596800n * second;
const maxTimestamp = 253402300800n * second - 1n;

const timestampOverflow = (): CelError => new CelError('timestamp overflow');

export function timestampOf(nanos: bigint, offset = 0): Timestamp | CelError {
  return nanos < minTimestamp || nanos > maxTimestamp ? timestampOverflow() : new Timestamp(nanos, offset);
}

export function parseTimestamp(text: string): Timestamp | CelError {
  const time = parseRfc3339(text);
  return 'fault' in time
    ? new CelError("type conversion error from 'string' to 'google.protobuf.Timestamp'")
    : timestampOf(BigInt(time.seconds) * second + BigInt(time.nanoseconds), time.offset);
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
