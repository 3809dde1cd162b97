// google.protobuf.Timestamp and Duration: seconds and nanoseconds in the message, one number of nanoseconds
// in CEL.
import { create } from '@bufbuild/protobuf';
import { DurationSchema, TimestampSchema } from '@bufbuild/protobuf/wkt';
import { timestampOf } from '../stdlib/timestamp-text.ts';
import { CelError } from '../values/error.ts';
import { maxInt, minInt } from '../values/numbers.ts';
import { Duration, Timestamp } from '../values/time.ts';
import { durationType, timestampType } from '../values/types.ts';
import type { Value } from '../values.ts';
import { type Codec, notConvertible } from './codec.ts';

const second = 1_000_000_000n;

interface SecondsAndNanos {
  readonly seconds: bigint;
  readonly nanos: number;
}

const nanosOf = ({ seconds, nanos }: SecondsAndNanos): bigint => seconds * second + BigInt(nanos);

function durationOf(nanos: bigint): Value {
  return nanos > maxInt || nanos < minInt ? new CelError('range error: duration') : new Duration(nanos);
}

/**
 * The nanoseconds of a timestamp are never negative; those of a duration have the sign of its seconds.
 */
function timestampParts(nanos: bigint): SecondsAndNanos {
  const rest = ((nanos % second) + second) % second;
  return { seconds: (nanos - rest) / second, nanos: Number(rest) };
}

export const timestampCodec: Codec = {
  type: timestampType,
  read: (raw) => timestampOf(nanosOf(raw as SecondsAndNanos)),
  write: (value) => {
    if (value === null) return undefined;
    return value instanceof Timestamp
      ? create(TimestampSchema, timestampParts(value.nanos))
      : notConvertible(value, timestampType);
  },
  absent: () => new Timestamp(0n),
};

export const durationCodec: Codec = {
  type: durationType,
  read: (raw) => durationOf(nanosOf(raw as SecondsAndNanos)),
  write: (value) => {
    if (value === null) return undefined;
    if (!(value instanceof Duration)) return notConvertible(value, durationType);
    return create(DurationSchema, { seconds: value.nanos / second, nanos: Number(value.nanos % second) });
  },
  absent: () => new Duration(0n),
};
