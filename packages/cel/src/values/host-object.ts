// An object of the host with its declared type, and the readers of declared types. Fields are read from the
// raw form when an expression uses them, each by the reader of its type, which may be an object again.
import { work } from '../meter.ts';
import { Comparable } from './comparable.ts';
import { equalValues } from './equality.ts';
import { CelError, noSuchKey } from './error.ts';
import { listReader, mapReader, readDouble, readDyn, readInt, readUint } from './host-readers.ts';
import { isCelValue } from './is-cel-value.ts';
import type { CelMap } from './map.ts';
import { ObjectMap } from './object-map.ts';
import { CelType, dynType, type FieldDeclaration, type HostAccess, type HostReader } from './types.ts';
import type { Value } from './value.ts';

const plainAccess: HostAccess = {
  get: (raw, key) => (raw as Record<string, unknown>)[key],
  has: (raw, key) => typeof raw === 'object' && raw !== null && Object.hasOwn(raw, key),
};

const presentAccess: HostAccess = {
  get: plainAccess.get,
  has: (raw, key) => plainAccess.has(raw, key) && plainAccess.get(raw, key) !== null,
};

function accessOf(type: CelType): HostAccess {
  return type.object!.access ?? (type.object!.nullIsAbsent === true ? presentAccess : plainAccess);
}

/** An object of the host, read in place by its declared type. */
export class HostObject extends Comparable {
  readonly type: CelType;
  readonly raw: unknown;

  constructor(type: CelType, raw: unknown) {
    super();
    this.type = type;
    this.raw = raw;
  }

  get(name: string): Value {
    const field = this.type.object?.field(name);
    return field === undefined
      ? new CelError(`no such field '${name}'`)
      : selectField(this.type, field, name, this.raw);
  }

  has(name: string): boolean | CelError {
    const field = this.type.object?.field(name);
    if (field === undefined) return new CelError(`no such field '${name}'`);
    return accessOf(this.type).has(this.raw, field.key ?? name);
  }

  override asMap(): CelMap | undefined {
    return this.type.object?.isMap === true ? new ObjectMap(this) : undefined;
  }

  equals(other: Value): boolean {
    if (!(other instanceof HostObject)) return false;
    if (this.raw === other.raw) return true;
    if (this.type.name !== other.type.name) return false;
    for (const name of this.type.object!.fieldNames()) {
      work(1);
      const mine = this.has(name);
      if (mine !== other.has(name)) return false;
      if (mine === true && !equalValues(this.get(name), other.get(name))) return false;
    }
    return true;
  }
}

function selectField(type: CelType, field: FieldDeclaration, name: string, raw: unknown): Value {
  const access = accessOf(type);
  const key = field.key ?? name;
  if (!access.has(raw, key)) return field.absent === undefined ? noSuchKey(name) : field.absent;
  return (field.read ?? readerOf(field.type))(access.get(raw, key));
}

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

/**
 * For types whose raw form is an object although their values are not, such as the well-known messages of
 * protocol buffers.
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
