// The parts of a timestamp in a time zone: its own, an IANA name, or an offset such as +05:30.
import { CelError } from '../values/error.ts';
import type { Timestamp } from '../values/time.ts';
import { millisOf } from './timestamp-text.ts';

const offsetForm = /^([+-]?)(\d{1,2}):(\d{2})$/;
const formatters = new Map<string, Intl.DateTimeFormat | undefined>();

/** A Date whose UTC parts are those that the timestamp was written with. */
export function ownDate(timestamp: Timestamp): Date {
  return new Date(millisOf(timestamp) + timestamp.offset * 1000);
}

/** A Date whose UTC parts are the local parts in the zone. */
export function localDate(timestamp: Timestamp, zone: string): Date | CelError {
  const millis = millisOf(timestamp);
  if (zone === 'UTC' || zone === '') return new Date(millis);
  const offset = offsetForm.exec(zone);
  if (offset !== null) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3]);
    return new Date(millis + (offset[1] === '-' ? -minutes : minutes) * 60_000);
  }
  const formatter = formatterOf(zone);
  return formatter === undefined ? new CelError(`unknown time zone ${zone}`) : dateIn(formatter, millis);
}

function formatterOf(zone: string): Intl.DateTimeFormat | undefined {
  if (formatters.has(zone)) return formatters.get(zone);
  const formatter = makeFormatter(zone);
  if (formatters.size < 1000) formatters.set(zone, formatter);
  return formatter;
}

function makeFormatter(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return undefined;
  }
}

function dateIn(formatter: Intl.DateTimeFormat, millis: number): Date {
  const parts = new Map(formatter.formatToParts(millis).map(({ type, value }) => [type, value]));
  const part = (name: Intl.DateTimeFormatPartTypes): number => Number(parts.get(name));
  const date = new Date(0);
  date.setUTCFullYear(
    parts.get('era')?.startsWith('B') === true ? 1 - part('year') : part('year'),
    part('month') - 1,
    part('day'),
  );
  date.setUTCHours(part('hour'), part('minute'), part('second'), ((millis % 1000) + 1000) % 1000);
  return date;
}
