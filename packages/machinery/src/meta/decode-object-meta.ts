// metadata out of JSON as Go's decoder reads it into v1.ObjectMeta: nulls and unknown fields go, times are
// put into their canonical form, and a value of the wrong type is reported in Go's words. It checks types
// only; what the values may be is for validate-object-meta.ts.

import { isPrintedTime, parseTime, printTime } from '@instar/go';
import { encodeJson } from '../json/encode.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts';
import type { ObjectMeta } from '../object.ts';

export interface DecodeObjectMetaOptions {
  /** Leaves out fields that do not decode instead of failing (what is read from storage or a webhook). */
  readonly dropMalformed?: boolean;
  /**
   * The Go struct that metadata is decoded within, for kinds that upstream has types for: errors then name
   * "metadata.labels".
   */
  readonly within?: string;
}

export type DecodedObjectMeta =
  /** `unknownFields` are paths below metadata, as in `ownerReferences[0].extra`. */
  { readonly meta: ObjectMeta; readonly unknownFields: string[] } | { readonly fault: string };

type Decode = (value: JsonValue, state: State, at: DecodeLocation) => JsonValue | undefined;

interface DecodeLocation {
  /**
   * The struct whose field is being decoded, and the names of the fields on the way: what Go's errors name.
   */
  readonly struct: string;
  readonly fields: string;
  /** The path with indexes: what unknown fields are reported under. */
  readonly path: string;
}

interface State {
  /** Go remembers the first mismatch and goes on. */
  fault: string | undefined;
  readonly unknownFields: string[];
}

/**
 * A fault that ends decoding at once, as one from a type's own decoder does in Go, even if another came
 * first.
 */
class DecodingFault extends Error {}

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

/** What Go calls a JSON value in its messages. */
export function goJsonType(value: JsonValue): 'null' | 'bool' | 'number' | 'string' | 'array' | 'object' {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'number' || typeof value === 'bigint'
    ? 'number'
    : (typeof value as 'string' | 'object');
}

function refuse(value: JsonValue, goType: string, state: State, at: DecodeLocation): undefined {
  state.fault ??= mismatch(goJsonType(value), goType, at);
  return undefined;
}

/** Empty strings are left out, as Go's omitempty does. */
const string =
  (goType: string, keepEmpty = false): Decode =>
  (value, state, at) => {
    if (value === null) return keepEmpty ? '' : undefined;
    if (typeof value !== 'string') return refuse(value, goType, state, at);
    return value === '' && !keepEmpty ? undefined : value;
  };

const bool: Decode = (value, state, at) =>
  value === null || typeof value === 'boolean' ? (value ?? undefined) : refuse(value, 'bool', state, at);

const int64 =
  (keepZero: boolean): Decode =>
  (value, state, at) => {
    if (value === null) return undefined;
    if (typeof value === 'bigint') return value;
    if (typeof value !== 'number') return refuse(value, 'int64', state, at);
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
  if (!isJsonObject(value)) return refuse(value, 'map[string]string', state, at);
  const keys = Object.keys(value);
  if (keys.length === 0) return undefined;
  const decode = string('string', true);
  return Object.fromEntries(keys.map((key) => [key, decode(value[key]!, state, at) ?? '']));
};

const list =
  (goType: string, item: Decode): Decode =>
  (value, state, at) => {
    if (value === null) return undefined;
    if (!Array.isArray(value)) return refuse(value, `[]${goType}`, state, at);
    if (value.length === 0) return undefined;
    return value.map((entry, index) => item(entry, state, { ...at, path: `${at.path}[${index}]` }) ?? null);
  };

const struct =
  (name: string, fields: ReadonlyMap<string, Decode>): Decode =>
  (value, state, at) => {
    if (value === null) return {};
    if (!isJsonObject(value)) return refuse(value, `v1.${name}`, state, at);
    const decoded: JsonObject = {};
    // Upstream writes the fields out in order of their names before it decodes them: that decides which fault
    // is the first.
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

/** Owners print their four texts even when they are empty. */
function withRequiredTexts(decode: Decode): Decode {
  return (value, state, at) => {
    const owner = decode(value, state, at);
    return owner === undefined
      ? undefined
      : { apiVersion: '', kind: '', name: '', uid: '', ...(owner as JsonObject) };
  };
}
