// Reads host values in place, typed by the declared type: JSON as it came from a parser, or values that are
// CEL values already. An array becomes a list that looks at its elements when asked; nothing is copied up
// front. JSON itself has no types, so the declared type decides: 1 is an int under `int` and a double under
// `double`. Without a declared type (dyn) a whole number is an int and any other a double.
import { CelType, dynType, type HostReader } from './types.ts';
import { CelError } from './values/error.ts';
import { HostList } from './values/host-list.ts';
import { HostMap } from './values/host-map.ts';
import { HostObject } from './values/host-object.ts';
import { CelList } from './values/list.ts';
import { CelMap } from './values/map.ts';
import { Double, intOf, Uint, uintOf } from './values/numbers.ts';
import { Opaque } from './values/opaque.ts';
import { Optional } from './values/optional.ts';
import { Duration, Timestamp } from './values/time.ts';
import type { Value } from './values.ts';

const readers = new WeakMap<CelType, HostReader>();

/** The reader of a declared type; made once for each type. */
export function readerOf(type: CelType): HostReader {
  let reader = readers.get(type);
  if (reader === undefined) {
    reader = makeReader(type);
    readers.set(type, reader);
  }
  return reader;
}

function makeReader(type: CelType): HostReader {
  if (type.kind !== 'object' && type.object?.wrap !== undefined)
    return wrappingReader(type.object.wrap, readerOf(withoutDeclaration(type)));
  switch (type.kind) {
    case 'int':
      return readInt;
    case 'uint':
      return readUint;
    case 'double':
      return readDouble;
    case 'list':
      return listReader(readerOf(type.params[0] ?? dynType));
    case 'map':
      return mapReader(readerOf(type.params[1] ?? dynType));
    case 'object':
      return objectReader(type);
    default:
      return readDyn;
  }
}

function readInt(raw: unknown): Value {
  if (typeof raw === 'number')
    return Number.isSafeInteger(raw) ? raw + 0 : Number.isInteger(raw) ? intOf(BigInt(raw)) : new Double(raw);
  return typeof raw === 'bigint' ? intOf(raw) : readDyn(raw);
}

function readUint(raw: unknown): Value {
  return (typeof raw === 'number' && Number.isInteger(raw)) || typeof raw === 'bigint'
    ? uintOf(raw)
    : readDyn(raw);
}

function readDouble(raw: unknown): Value {
  return typeof raw === 'number' || typeof raw === 'bigint' ? new Double(Number(raw)) : readDyn(raw);
}

const listReader =
  (element: HostReader): HostReader =>
  (raw) =>
    Array.isArray(raw) ? new HostList(raw, element) : readDyn(raw);

const mapReader =
  (value: HostReader): HostReader =>
  (raw) =>
    isPlainObject(raw) ? new HostMap(raw, value) : readDyn(raw);

/**
 * For types that have objects as their raw form although their values are none, as the well-known messages of
 * protocol buffers do.
 */
function wrappingReader(wrap: (raw: object) => Value, otherwise: HostReader): HostReader {
  return (raw) => (typeof raw === 'object' && raw !== null && !isCelValue(raw) ? wrap(raw) : otherwise(raw));
}

const withoutDeclaration = (type: CelType): CelType =>
  new CelType(type.kind, type.name, type.params, type.nullable);

function objectReader(type: CelType): HostReader {
  const wrap = type.object?.wrap;
  const anyForm = type.object?.access !== undefined;
  return (raw) => {
    if (raw === null || isCelValue(raw)) return raw;
    if (typeof raw !== 'object' && !anyForm) return readDyn(raw);
    return wrap === undefined ? new HostObject(type, raw) : wrap(raw as object);
  };
}

/** What has no declared type. */
export function readDyn(raw: unknown): Value {
  switch (typeof raw) {
    case 'string':
    case 'boolean':
      return raw;
    case 'number':
      return Number.isInteger(raw) ? readInt(raw) : new Double(raw);
    case 'bigint':
      return intOf(raw);
    case 'object':
      return readDynObject(raw);
    default:
      return new CelError(`unsupported conversion to ref.Val: (${typeof raw})`);
  }
}

function readDynObject(raw: object | null): Value {
  if (raw === null || isCelValue(raw)) return raw;
  return Array.isArray(raw)
    ? new HostList(raw, readDyn)
    : new HostMap(raw as Record<string, unknown>, readDyn);
}

function isPlainObject(raw: unknown): raw is Record<string, unknown> {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw) && !isCelValue(raw);
}

/** True for the object forms of CEL values; a host may hand those in as they are. */
export function isCelValue(raw: unknown): raw is Value & object {
  // Nearly everything that comes is plain JSON; this tells without a walk through all the classes.
  const prototype = typeof raw === 'object' && raw !== null ? Object.getPrototypeOf(raw) : Object.prototype;
  if (prototype === Object.prototype || prototype === Array.prototype || prototype === null) return false;
  return (
    raw instanceof CelList ||
    raw instanceof CelMap ||
    raw instanceof HostObject ||
    raw instanceof Opaque ||
    raw instanceof Optional ||
    raw instanceof Double ||
    raw instanceof Uint ||
    raw instanceof Timestamp ||
    raw instanceof Duration ||
    raw instanceof Uint8Array ||
    raw instanceof CelType ||
    raw instanceof CelError
  );
}

/** The reader of optional_type(T) for hosts that say "absent" with undefined. */
export function optionalReader(of: CelType): HostReader {
  const read = readerOf(of);
  return (raw) =>
    raw === undefined ? new Optional(undefined) : raw instanceof Optional ? raw : new Optional(read(raw));
}
