// An object of the host beside its declared type. Fields are read from the raw form when an expression asks
// for them.
import { readerOf } from '../adapter.ts';
import { work } from '../meter.ts';
import type { CelType, FieldDeclaration, HostAccess } from '../types.ts';
import type { Value } from '../values.ts';
import { Comparable } from './comparable.ts';
import { equalValues } from './equality.ts';
import { CelError, noSuchKey } from './error.ts';
import type { CelMap } from './map.ts';
import { ObjectMap } from './object-map.ts';

export const plainAccess: HostAccess = {
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

export function selectField(type: CelType, field: FieldDeclaration, name: string, raw: unknown): Value {
  const access = accessOf(type);
  const key = field.key ?? name;
  if (!access.has(raw, key)) return field.absent === undefined ? noSuchKey(name) : field.absent;
  return (field.read ?? readerOf(field.type))(access.get(raw, key));
}
