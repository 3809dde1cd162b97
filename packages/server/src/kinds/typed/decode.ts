// Decodes JSON as Go's encoding/json decodes into structs: wrong types are reported in the order of the
// document with their Go names, unknown fields are dropped (and listed), null means the zero value, and what
// Go's omitempty omits is omitted. The result is the object as upstream would return it: fields in the order
// of the struct, map keys sorted. It shares nothing with the input.

import type { ChoiceType, GoField, GoType, LazyType, ListType, MapType, StructType } from '@instar/kinds';
import type { JsonObject, JsonValue } from '@instar/machinery';
import type { TypedDecoder } from '../../objects/definition.ts';
import { type Codec, type Decode, Walk } from './decode-walk.ts';
import { scalarCodec } from './scalar-codec.ts';

/** Compiles on first use: most kinds are never written in a run. */
export function typedDecoder(type: StructType): TypedDecoder {
  let codec: Codec | undefined;
  return (rawValue) => {
    codec ??= codecOf(type);
    const walk = new Walk();
    const object = rawValue === null ? codec.zero() : codec.decode(rawValue, walk);
    if (walk.error !== undefined) return { error: walk.error };
    return { object: object as JsonObject, unknownFields: walk.unknownFields };
  };
}

/** Types are shared by kinds, so their codecs are made once. */
const codecs = new WeakMap<GoType, Codec>();

function codecOf(type: GoType): Codec {
  let codec = codecs.get(type);
  if (codec === undefined) {
    codec = makeCodec(type);
    codecs.set(type, codec);
  }
  return codec;
}

function makeCodec(type: GoType): Codec {
  switch (type.kind) {
    case 'list':
      return listCodec(type);
    case 'map':
      return mapCodec(type);
    case 'struct':
      return structCodec(type);
    case 'lazy':
      return lazyCodec(type);
    case 'choice':
      return choiceCodec(type);
    case 'string':
    case 'int32':
    case 'int64':
    case 'float64':
    case 'bool':
    case 'bytes':
    case 'time':
    case 'microTime':
    case 'intOrString':
    case 'quantity':
    case 'raw':
      return scalarCodec(type);
  }
}

function lazyCodec(type: LazyType): Codec {
  let made: Codec | undefined;
  const codec = (): Codec => (made ??= codecOf(type.type()));
  return {
    decode: (value, walk) => codec().decode(value, walk),
    zero: () => codec().zero(),
    isEmpty: (value) => codec().isEmpty(value),
  };
}

function choiceCodec(type: ChoiceType): Codec {
  const codecs = type.options.map(codecOf);
  const decode: Decode = (value, walk) => {
    const chosen = codecs[type.choose(value)];
    if (chosen !== undefined) return chosen.decode(value, walk);
    walk.fatal(type.complaint);
    return null;
  };
  return { decode, zero: () => null, isEmpty: (value) => value === null };
}

/**
 * Upstream stores protobuf, which does not distinguish an empty list from none: both are null where omitempty
 * does not omit them.
 */
function listCodec(type: ListType): Codec {
  const items = codecOf(type.items);
  const decode: Decode = (value, walk) => {
    if (!Array.isArray(value)) {
      walk.fault(walk.mismatch(value, type.name));
      return null;
    }
    if (value.length === 0) return null;
    return value.map((item, index) => {
      walk.enterIndex(index);
      const decoded = item === null ? items.zero() : items.decode(item, walk);
      walk.leave();
      return decoded;
    });
  };
  return { decode, zero: () => null, isEmpty: (value) => value === null };
}

function mapCodec(type: MapType): Codec {
  const values = codecOf(type.values);
  const decode: Decode = (value, walk) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      walk.fault(walk.mismatch(value, type.name));
      return null;
    }
    const keys = Object.keys(value);
    if (keys.length === 0) return null;
    const decoded: JsonObject = {};
    for (const key of keys) {
      const member = value[key]!;
      walk.enterKey(key);
      setKey(decoded, key, member === null ? values.zero() : values.decode(member, walk));
      walk.leave();
    }
    return isSorted(keys) ? decoded : sortedByKey(decoded, keys);
  };
  return { decode, zero: () => null, isEmpty: (value) => value === null };
}

/** Handles the key __proto__ like any other. */
function setKey(object: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}

function isSorted(keys: readonly string[]): boolean {
  for (let i = 1; i < keys.length; i++) if (keys[i - 1]! > keys[i]!) return false;
  return true;
}

function sortedByKey(object: JsonObject, keys: string[]): JsonObject {
  const sorted: JsonObject = {};
  for (const key of keys.sort()) setKey(sorted, key, object[key]!);
  return sorted;
}

interface FieldCodec {
  readonly name: string;
  readonly index: number;
  readonly codec: Codec;
  readonly embeddedIn: string | undefined;
  /** Whether an absent or null field is present in the result, as its zero value. */
  readonly showsZero: boolean;
  readonly dropsEmpty: boolean;
  readonly hasDefault: boolean;
  readonly default: JsonValue | undefined;
}

function structCodec(type: StructType): Codec {
  const fields = [...type.fields].map(([name, field], index) => fieldCodec(name, field, index));
  const byName = new Map(fields.map((field) => [field.name, field]));
  const structName = type.name.slice(type.name.lastIndexOf('.') + 1);

  const decode: Decode = (value, walk) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      walk.fault(walk.mismatch(value, type.name));
      return {};
    }
    const decoded: (JsonValue | undefined)[] = new Array(fields.length).fill(undefined);
    for (const key of Object.keys(value)) {
      const known = byName.get(key);
      if (known === undefined) walk.unknown(key);
      else decoded[known.index] = decodeField(known, value[key]!, structName, walk);
    }
    return assemble(fields, decoded);
  };
  return { decode, zero: () => assemble(fields, []), isEmpty: () => false };
}

/**
 * Whether an absent field is present in the result. omitempty omits neither structs nor times: Go has no
 * empty structs.
 */
function showsZero({ type, pointer = false, keepEmpty = false, omitZero = false }: GoField): boolean {
  const neverEmpty =
    type.kind === 'struct' ||
    type.kind === 'time' ||
    type.kind === 'microTime' ||
    type.kind === 'quantity' ||
    type.kind === 'intOrString';
  return !pointer && !omitZero && (keepEmpty || neverEmpty);
}

function fieldCodec(name: string, field: GoField, index: number): FieldCodec {
  const { type, pointer = false, keepEmpty = false, embeddedIn } = field;
  const codec = codecOf(type);
  const dropsEmpty = !pointer && !keepEmpty;
  return {
    name,
    index,
    codec,
    embeddedIn,
    showsZero: showsZero(field),
    dropsEmpty,
    hasDefault: field.default !== undefined && !(dropsEmpty && codec.isEmpty(field.default)),
    default: field.default,
  };
}

function decodeField(
  field: FieldCodec,
  value: JsonValue,
  structName: string,
  walk: Walk,
): JsonValue | undefined {
  if (value === null) return undefined;
  const outer = walk.structName;
  const depth = walk.fields.length;
  walk.structName = structName;
  if (field.embeddedIn !== undefined) walk.fields.push(field.embeddedIn);
  walk.fields.push(field.name);
  walk.enterKey(field.name);
  const decoded = field.codec.decode(value, walk);
  walk.leave();
  walk.fields.length = depth;
  walk.structName = outer;
  return decoded;
}

function assemble(fields: readonly FieldCodec[], decoded: readonly (JsonValue | undefined)[]): JsonObject {
  const object: JsonObject = {};
  for (const field of fields) {
    const value = decoded[field.index];
    const missing = value === undefined || (field.dropsEmpty && field.codec.isEmpty(value));
    if (!missing) object[field.name] = value;
    else if (field.hasDefault) object[field.name] = structuredClone(field.default!);
    else if (field.showsZero) object[field.name] = field.codec.zero();
  }
  return object;
}

/** The zero value of a struct as Go prints it, without defaults. */
export function zeroOf(type: StructType): JsonObject {
  const zero: JsonObject = {};
  for (const [name, field] of type.fields) {
    if (!showsZero(field)) continue;
    zero[name] = field.type.kind === 'struct' ? zeroOf(field.type) : codecOf(field.type).zero();
  }
  return zero;
}
