// Decodes metadata as Go's decoder reads it into v1.ObjectMeta: nulls and unknown fields are dropped, times
// are normalized, and a value of the wrong type is reported in Go's words. Checks types only;
// validate-object-meta.ts checks values.

import { isPrintedTime, parseTime, printTime } from '@instar/go';
import { encodeJson } from '../json/encode.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts';
import type { ObjectMeta } from '../object.ts';

export interface DecodeObjectMetaOptions {
  /** Drops fields that do not decode instead of failing (for objects from the store or a webhook). */
  readonly dropMalformed?: boolean;
  /**
   * The Go struct that contains metadata, for kinds with Go types upstream: errors then name
   * "metadata.labels".
   */
  readonly within?: string;
}

export type DecodedObjectMeta =
  /** `unknownFields` are paths below metadata, as in `ownerReferences[0].extra`. */
  { readonly meta: ObjectMeta; readonly unknownFields: string[] } | { readonly fault: string };

type Decode = (value: JsonValue, state: State, at: DecodeLocation) => JsonValue | undefined;

interface DecodeLocation {
  /** The struct whose field is being decoded, and the path of field names, as Go's errors name them. */
  readonly struct: string;
  readonly fields: string;
  /** The path with indexes, as unknown fields are reported. */
  readonly path: string;
}

interface State {
  /** Go records the first mismatch and continues. */
  fault: string | undefined;
  readonly unknownFields: string[];
}

/**
 * A fault that ends decoding immediately, as one from a type's own decoder does in Go, even if another came
 * first.
 */
class DecodingFault extends Error {}

/** Decodes `metadata` as Go would, with the errors of its decoder. */
export function decodeObjectMeta(value: JsonValue, options: DecodeObjectMetaOptions = {}): DecodedObjectMeta {
  const { within } = options;
  const at: DecodeLocation =
    within === undefined
      ? { struct: '', fields: '', path: '' }
      : { struct: within, fields: 'metadata', path: '' };
  const decoded = decodeWith(objectMeta, value, at);
  if ('meta' in decoded || options.dropMalformed !== true || !isJsonObject(value)) return decoded;
  return decodeFieldByField(value, at);
}

function decodeFieldByField(value: JsonObject, at: DecodeLocation): DecodedObjectMeta {
  const meta: JsonObject = {};
  const unknownFields: string[] = [];
  for (const [key, field] of Object.entries(value)) {
    const decoded = decodeWith(objectMeta, { [key]: field }, at);
    if ('fault' in decoded) continue;
    Object.assign(meta, decoded.meta);
    unknownFields.push(...decoded.unknownFields);
  }
  return { meta: meta as ObjectMeta, unknownFields };
}

function decodeWith(decode: Decode, value: JsonValue, at: DecodeLocation): DecodedObjectMeta {
  const state: State = { fault: undefined, unknownFields: [] };
  try {
    const meta = decode(value, state, at) ?? {};
    return state.fault === undefined
      ? { meta: meta as ObjectMeta, unknownFields: state.unknownFields }
      : { fault: state.fault };
  } catch (error) {
    if (error instanceof DecodingFault) return { fault: error.message };
    throw error;
  }
}

function mismatch(what: string, goType: string, at: DecodeLocation): string {
  const into = at.fields === '' ? 'Go value' : `Go struct field ${at.struct}.${at.fields}`;
  return `json: cannot unmarshal ${what} into ${into} of type ${goType}`;
}

/** The type of a JSON value in Go's messages. */
export function goJsonType(value: JsonValue): 'null' | 'bool' | 'number' | 'string' | 'array' | 'object' {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'number' || typeof value === 'bigint'
    ? 'number'
    : (typeof value as 'string' | 'object');
}

function reject(value: JsonValue, goType: string, state: State, at: DecodeLocation): undefined {
  state.fault ??= mismatch(goJsonType(value), goType, at);
  return undefined;
}

/** Empty strings are omitted, as by Go's omitempty. */
const string =
  (goType: string, keepEmpty = false): Decode =>
  (value, state, at) => {
    if (value === null) return keepEmpty ? '' : undefined;
    if (typeof value !== 'string') return reject(value, goType, state, at);
    return value === '' && !keepEmpty ? undefined : value;
  };

const bool: Decode = (value, state, at) =>
  value === null || typeof value === 'boolean' ? (value ?? undefined) : reject(value, 'bool', state, at);

const int64 =
  (keepZero: boolean): Decode =>
  (value, state, at) => {
    if (value === null) return undefined;
    if (typeof value === 'bigint') return value;
    if (typeof value !== 'number') return reject(value, 'int64', state, at);
    if (!Number.isSafeInteger(value)) {
      state.fault ??= mismatch(`number ${encodeJson(value)}`, 'int64', at);
      return undefined;
    }
    return value === 0 && !keepZero ? undefined : value;
  };

const time: Decode = (value, _state, at) => {
  if (value === null) return undefined;
  if (typeof value !== 'string') throw new DecodingFault(mismatch(goJsonType(value), 'string', at));
  if (isPrintedTime(value)) return value;
  const parsed = parseTime(value);
  if ('fault' in parsed) throw new DecodingFault(parsed.fault);
  return printTime(parsed.milliseconds);
};

const raw: Decode = (value) => value ?? undefined;

const stringMap: Decode = (value, state, at) => {
  if (value === null) return undefined;
  if (!isJsonObject(value)) return reject(value, 'map[string]string', state, at);
  const keys = Object.keys(value);
  if (keys.length === 0) return undefined;
  const decode = string('string', true);
  return Object.fromEntries(keys.map((key) => [key, decode(value[key]!, state, at) ?? '']));
};

const list =
  (goType: string, item: Decode): Decode =>
  (value, state, at) => {
    if (value === null) return undefined;
    if (!Array.isArray(value)) return reject(value, `[]${goType}`, state, at);
    if (value.length === 0) return undefined;
    return value.map((entry, index) => item(entry, state, { ...at, path: `${at.path}[${index}]` }) ?? null);
  };

const struct =
  (name: string, fields: ReadonlyMap<string, Decode>): Decode =>
  (value, state, at) => {
    if (value === null) return {};
    if (!isJsonObject(value)) return reject(value, `v1.${name}`, state, at);
    const decoded: JsonObject = {};
    // Upstream encodes the fields in order of their names before it decodes them, which decides which fault
    // is first.
    for (const key of Object.keys(value).sort()) {
      const path = at.path === '' ? key : `${at.path}.${key}`;
      const decode = fields.get(key);
      if (decode === undefined) {
        state.unknownFields.push(path);
        continue;
      }
      const field = decode(value[key]!, state, {
        struct: name,
        fields: at.fields === '' ? key : `${at.fields}.${key}`,
        path,
      });
      if (field !== undefined) decoded[key] = field;
    }
    return decoded;
  };

const text = string('string');

const ownerReference = struct(
  'OwnerReference',
  new Map<string, Decode>([
    ['apiVersion', string('string', true)],
    ['kind', string('string', true)],
    ['name', string('string', true)],
    ['uid', string('types.UID', true)],
    ['controller', bool],
    ['blockOwnerDeletion', bool],
  ]),
);

const managedFieldsEntry = struct(
  'ManagedFieldsEntry',
  new Map<string, Decode>([
    ['manager', text],
    ['operation', string('v1.ManagedFieldsOperationType')],
    ['apiVersion', text],
    ['time', time],
    ['fieldsType', text],
    ['fieldsV1', raw],
    ['subresource', text],
  ]),
);

const objectMeta = struct(
  'ObjectMeta',
  new Map<string, Decode>([
    ['name', text],
    ['generateName', text],
    ['namespace', text],
    ['selfLink', text],
    ['uid', string('types.UID')],
    ['resourceVersion', text],
    ['generation', int64(false)],
    ['creationTimestamp', time],
    ['deletionTimestamp', time],
    ['deletionGracePeriodSeconds', int64(true)],
    ['labels', stringMap],
    ['annotations', stringMap],
    ['ownerReferences', list('v1.OwnerReference', withRequiredTexts(ownerReference))],
    ['finalizers', list('string', string('string', true))],
    ['managedFields', list('v1.ManagedFieldsEntry', managedFieldsEntry)],
  ]),
);

/** Owner references have their four required strings even if they are empty. */
function withRequiredTexts(decode: Decode): Decode {
  return (value, state, at) => {
    const owner = decode(value, state, at);
    return owner === undefined
      ? undefined
      : { apiVersion: '', kind: '', name: '', uid: '', ...(owner as JsonObject) };
  };
}
