// The results of expressions as JSON, for the objects and operations of which mutating policies make patches.
// Integers stay integers however large they are.
import {
  CelList,
  CelMap,
  Double,
  Duration,
  HostList,
  HostMap,
  Timestamp,
  toText,
  typeOf,
  Uint,
  type Value,
} from '@instar/cel';
import { StructValue } from '@instar/cel/kubernetes';
import { encodeBase64 } from '@instar/go';
import type { JsonObject, JsonValue } from '@instar/machinery';

/** A value that JSON, or an apply configuration, cannot hold. */
export class NoJson extends Error {}

/** Throws NoJson. */
export function jsonOfValue(value: Value): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Double || value instanceof Uint) return value.value;
  if (value instanceof StructValue) return objectOf(value.fields, jsonOfValue);
  if (value instanceof CelList) return [...value].map(jsonOfValue);
  if (value instanceof CelMap) return objectOf(entriesOf(value), jsonOfValue);
  if (value instanceof Uint8Array) return encodeBase64(value);
  if (value instanceof Timestamp || value instanceof Duration) return toText(value) as string;
  throw new NoJson(`unsupported type: ${typeOf(value).name}`);
}

/**
 * An apply configuration. As upstream, fields have strings, numbers, bools and objects, and lists and maps of
 * these; lists and maps within lists and maps only where they come from an object as they are.
 */
export function configurationOf({ fields }: StructValue, path = ''): JsonObject {
  return objectOf(fields, (value, name) => {
    const at = `${path}.${name}`;
    if (value instanceof StructValue) return configurationOf(value, at);
    if (value instanceof CelList) return [...value].map((item, index) => partOf(item, `${at}[${index}]`));
    if (value instanceof CelMap)
      return objectOf(entriesOf(value), (each, key) => partOf(each, `${at}.${key}`));
    return scalarOf(value, at);
  });
}

function partOf(value: Value, path: string): JsonValue {
  if (value instanceof StructValue) return configurationOf(value, path);
  if (value instanceof HostList || value instanceof HostMap) return jsonOfValue(value);
  return scalarOf(value, path);
}

function scalarOf(value: Value, path: string): JsonValue {
  if (value instanceof Double || ['string', 'number', 'bigint', 'boolean'].includes(typeof value))
    return jsonOfValue(value);
  throw new NoJson(`${path}: a value of type ${typeOf(value).name} cannot be set here`);
}

function* entriesOf(map: CelMap): Iterable<readonly [string, Value]> {
  for (const key of map.keys()) {
    if (typeof key !== 'string') throw new NoJson(`bad key type: ${typeOf(key).name}`);
    yield [key, map.get(key)!];
  }
}

/** Object.fromEntries defines `__proto__` like any other key. */
const objectOf = (
  entries: Iterable<readonly [string, Value]>,
  convert: (value: Value, name: string) => JsonValue,
): JsonObject =>
  Object.fromEntries(Array.from(entries, ([name, value]) => [name, convert(value, name)] as const));
