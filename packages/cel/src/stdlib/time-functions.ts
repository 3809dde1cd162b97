// getFullYear(), getHours(), … of timestamps (as they were written, or in a time zone) and of durations.
import { type FunctionDeclaration, functionOf, memberOverload } from '../extension.ts';
import { CelError } from '../values/error.ts';
import { intOf } from '../values/numbers.ts';
import type { Duration, Timestamp } from '../values/time.ts';
import { durationType, intType, stringType, timestampType } from '../values/types.ts';
import type { Value } from '../values.ts';
import { localDate, ownDate } from './time-zone.ts';

const day = 86_400_000;

function dayOfYear(date: Date): number {
  const start = new Date(0);
  start.setUTCFullYear(date.getUTCFullYear(), 0, 1);
  return Math.floor((date.getTime() - start.getTime()) / day);
}

function part(name: string, id: string, read: (date: Date) => number): FunctionDeclaration {
  const inZone = (timestamp: Value, zone: Value): Value => {
    const date = localDate(timestamp as Timestamp, zone as string);
    return date instanceof CelError ? date : read(date);
  };
  return functionOf(
    name,
    memberOverload(id, [timestampType], intType, (timestamp) => read(ownDate(timestamp as Timestamp))),
    memberOverload(`${id}_with_tz`, [timestampType, stringType], intType, (timestamp, zone) =>
      inZone(timestamp!, zone!),
    ),
  );
}

function durationPart(name: string, id: string, count: (nanos: bigint) => bigint): FunctionDeclaration {
  return functionOf(
    name,
    memberOverload(id, [durationType], intType, (duration) => intOf(count((duration as Duration).nanos))),
  );
}

export const timeFunctions: readonly FunctionDeclaration[] = [
  part('getFullYear', 'timestamp_to_year', (date) => date.getUTCFullYear()),
  part('getMonth', 'timestamp_to_month', (date) => date.getUTCMonth()),
  part('getDayOfYear', 'timestamp_to_day_of_year', dayOfYear),
  part('getDayOfMonth', 'timestamp_to_day_of_month', (date) => date.getUTCDate() - 1),
  part('getDate', 'timestamp_to_day_of_month_1_based', (date) => date.getUTCDate()),
  part('getDayOfWeek', 'timestamp_to_day_of_week', (date) => date.getUTCDay()),
  part('getHours', 'timestamp_to_hours', (date) => date.getUTCHours()),
  part('getMinutes', 'timestamp_to_minutes', (date) => date.getUTCMinutes()),
  part('getSeconds', 'timestamp_to_seconds', (date) => date.getUTCSeconds()),
  part('getMilliseconds', 'timestamp_to_milliseconds', (date) => date.getUTCMilliseconds()),
  durationPart('getHours', 'duration_to_hours', (nanos) => nanos / 3_600_000_000_000n),
  durationPart('getMinutes', 'duration_to_minutes', (nanos) => nanos / 60_000_000_000n),
  durationPart('getSeconds', 'duration_to_seconds', (nanos) => nanos / 1_000_000_000n),
  durationPart('getMilliseconds', 'duration_to_milliseconds', (nanos) => nanos / 1_000_000n),
];
