// google.protobuf.Any: unpacked when read, packed when written. Values that are not messages are packed as
// their wrapper; lists and maps as JSON.
import { create, type DescMessage, type Message, type Registry } from '@bufbuild/protobuf';
import {
  type Any,
  anyPack,
  anyUnpack,
  BoolValueSchema,
  BytesValueSchema,
  DoubleValueSchema,
  DurationSchema,
  Int64ValueSchema,
  ListValueSchema,
  StringValueSchema,
  StructSchema,
  TimestampSchema,
  UInt64ValueSchema,
  ValueSchema,
} from '@bufbuild/protobuf/wkt';
import { equalValues } from '../values/equality.ts';
import { CelError } from '../values/error.ts';
import { CelList } from '../values/list.ts';
import { CelMap } from '../values/map.ts';
import { Double, Uint } from '../values/numbers.ts';
import { Duration, Timestamp } from '../values/time.ts';
import { anyType } from '../values/types.ts';
import type { Value } from '../values.ts';
import { type Codec, notConvertible } from './codec.ts';
import { listValueCodec, structCodec, valueCodec } from './json-codecs.ts';
import { MessageValue } from './message-value.ts';
import { durationCodec, timestampCodec } from './time-codecs.ts';

export function anyCodec(registry: Registry, asValue: (message: Message) => Value): Codec {
  const read = (raw: unknown): Value => {
    const any = raw as Any;
    const message = unpack(any, registry);
    return message === undefined ? new CelError(`unknown type: '${any.typeUrl}'`) : asValue(message);
  };
  return {
    type: anyType,
    read,
    write: pack,
    absent: () => null,
    same: (a, b) => sameAny(a as Any, b as Any, read),
  };
}

function unpack(any: Any, registry: Registry): Message | undefined {
  try {
    return anyUnpack(any, registry);
  } catch {
    return undefined;
  }
}

/** What cannot be unpacked is compared as bytes. */
function sameAny(a: Any, b: Any, read: (raw: Any) => Value): boolean {
  const [left, right] = [read(a), read(b)];
  if (left instanceof CelError || right instanceof CelError)
    return a.typeUrl === b.typeUrl && equalValues(a.value, b.value);
  return equalValues(left, right);
}

function pack(value: Value): unknown {
  const packed = packable(value);
  if (packed === undefined) return notConvertible(value, anyType);
  const [desc, message] = packed;
  return message instanceof CelError ? message : anyPack(desc, message);
}

type Packable = readonly [DescMessage, Message | CelError];

function packable(value: Value): Packable | undefined {
  switch (typeof value) {
    case 'boolean':
      return [BoolValueSchema, create(BoolValueSchema, { value })];
    case 'string':
      return [StringValueSchema, create(StringValueSchema, { value })];
    case 'number':
    case 'bigint':
      return [Int64ValueSchema, create(Int64ValueSchema, { value: BigInt(value) })];
    default:
      return packableObject(value);
  }
}

function packableObject(value: Value): Packable | undefined {
  if (value instanceof MessageValue) return [value.shape.desc, value.raw];
  if (value instanceof Double) return [DoubleValueSchema, create(DoubleValueSchema, { value: value.value })];
  if (value instanceof Uint)
    return [UInt64ValueSchema, create(UInt64ValueSchema, { value: BigInt(value.value) })];
  if (value instanceof Uint8Array)
    return [BytesValueSchema, create(BytesValueSchema, { value: new Uint8Array(value) })];
  if (value instanceof Timestamp) return [TimestampSchema, timestampCodec.write(value) as Message];
  if (value instanceof Duration) return [DurationSchema, durationCodec.write(value) as Message];
  if (value instanceof CelList) return [ListValueSchema, listValueCodec.write(value) as Message | CelError];
  if (value instanceof CelMap) return [StructSchema, structCodec.write(value) as Message | CelError];
  return value === null ? [ValueSchema, valueCodec.write(null) as Message] : undefined;
}
