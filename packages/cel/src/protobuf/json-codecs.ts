// google.protobuf.Value, Struct and ListValue: JSON. Inside messages a Struct is a plain JSON object;
// everywhere else the three are messages. Integers that a double cannot hold become strings, as in the JSON
// mapping of protocol buffers.
import { create, type JsonObject, type JsonValue, type Message, toJson } from '@bufbuild/protobuf';
import {
  type ListValue,
  ListValueSchema,
  NullValue,
  type Struct,
  StructSchema,
  type Value as ValueMessage,
  ValueSchema,
} from '@bufbuild/protobuf/wkt';
import { encodeBase64 } from '@instar/go';
import { toText } from '../stdlib/convert.ts';
import { CelError } from '../values/error.ts';
import { HostList } from '../values/host-list.ts';
import { HostMap } from '../values/host-map.ts';
import { CelList } from '../values/list.ts';
import { CelMap } from '../values/map.ts';
import { Double, Uint } from '../values/numbers.ts';
import { Duration, Timestamp } from '../values/time.ts';
import { typeOf } from '../values/type-of.ts';
import { dynType, listType, mapType, stringType } from '../values/types.ts';
import type { Int, Value } from '../values.ts';

import { type Codec, notConvertible } from './codec.ts';
import { MessageValue } from './message-value.ts';

function readJson(raw: unknown): Value {
  if (typeof raw === 'number') return new Double(raw);
  if (Array.isArray(raw)) return new HostList(raw, readJson);
  return typeof raw === 'object' && raw !== null ? new HostMap(raw as JsonObject, readJson) : (raw as Value);
}

function readValue(raw: unknown): Value {
  const { kind } = raw as ValueMessage;
  switch (kind.case) {
    case 'numberValue':
      return new Double(kind.value);
    case 'boolValue':
    case 'stringValue':
      return kind.value;
    case 'listValue':
      return readList(kind.value);
    case 'structValue':
      return readStruct(kind.value);
    default:
      return null;
  }
}

const readList = (raw: unknown): Value => new HostList((raw as ListValue).values, readValue);
const readStruct = (raw: unknown): Value => new HostMap((raw as Struct).fields, readValue);

/** A CEL value as JSON. */
function jsonOf(value: Value): JsonValue | CelError {
  switch (typeof value) {
    case 'boolean':
    case 'string':
      return value;
    case 'number':
    case 'bigint':
      return jsonNumber(value);
    default:
      return value === null ? null : jsonOfObject(value);
  }
}

const jsonNumber = (value: Int): JsonValue => (typeof value === 'number' ? value : String(value));

function jsonOfObject(value: Exclude<Value, null>): JsonValue | CelError {
  if (value instanceof CelError) return value;
  if (value instanceof Double) return value.value;
  if (value instanceof Uint) return jsonNumber(value.value);
  if (value instanceof Uint8Array) return encodeBase64(value);
  if (value instanceof Timestamp || value instanceof Duration) return toText(value) as string;
  if (value instanceof CelList) return jsonArray(value);
  if (value instanceof CelMap) return jsonObject(value);
  return value instanceof MessageValue ? jsonMessage(value) : notConvertible(value, dynType);
}

function jsonMessage(value: MessageValue): JsonValue | CelError {
  try {
    return toJson(value.shape.desc, value.raw as Message, { registry: value.shape.registry });
  } catch (error) {
    return new CelError(String(error));
  }
}

function jsonArray(list: CelList): JsonValue[] | CelError {
  const elements: JsonValue[] = [];
  for (const element of list) {
    const json = jsonOf(element);
    if (json instanceof CelError) return json;
    elements.push(json);
  }
  return elements;
}

function jsonObject(map: CelMap): JsonObject | CelError {
  const entries: [string, JsonValue][] = [];
  for (const key of map.keys()) {
    if (typeof key !== 'string') return new CelError(`bad key type: ${typeOf(key).name}`);
    const json = jsonOf(map.get(key)!);
    if (json instanceof CelError) return json;
    entries.push([key, json]);
  }
  return Object.fromEntries(entries);
}

/** JSON as a message. */
function valueMessage(json: JsonValue): ValueMessage {
  return create(ValueSchema, { kind: kindOf(json) });
}

function kindOf(json: JsonValue): ValueMessage['kind'] {
  switch (typeof json) {
    case 'number':
      return { case: 'numberValue', value: json };
    case 'string':
      return { case: 'stringValue', value: json };
    case 'boolean':
      return { case: 'boolValue', value: json };
    default:
      if (json === null) return { case: 'nullValue', value: NullValue.NULL_VALUE };
      return Array.isArray(json)
        ? { case: 'listValue', value: listMessage(json) }
        : { case: 'structValue', value: structMessage(json) };
  }
}

const listMessage = (json: readonly JsonValue[]): ListValue =>
  create(ListValueSchema, { values: json.map(valueMessage) });

function structMessage(json: JsonObject): Struct {
  const message = create(StructSchema);
  message.fields = Object.fromEntries(Object.entries(json).map(([key, value]) => [key, valueMessage(value)]));
  return message;
}

const orError = <T>(json: T | CelError, make: (json: T) => unknown): unknown =>
  json instanceof CelError ? json : make(json);

export const valueCodec: Codec = {
  type: dynType,
  read: readValue,
  write: (value) => orError(jsonOf(value), valueMessage),
  absent: () => null,
};

const jsonList = listType(dynType);
const jsonMap = mapType(stringType, dynType);

export const listValueCodec: Codec = {
  type: jsonList,
  read: readList,
  write: (value) =>
    value instanceof CelList ? orError(jsonArray(value), listMessage) : notConvertible(value, jsonList),
  absent: () => new HostList([], readValue),
};

export const structCodec: Codec = {
  type: jsonMap,
  read: readStruct,
  write: (value) =>
    value instanceof CelMap ? orError(jsonObject(value), structMessage) : notConvertible(value, jsonMap),
  absent: () => new HostMap({}, readJson),
};

/** A Struct as fields of messages hold it. */
export const plainStructCodec: Codec = {
  ...structCodec,
  read: readJson,
  write: (value) => (value instanceof CelMap ? jsonObject(value) : notConvertible(value, jsonMap)),
};
