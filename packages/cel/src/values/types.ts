// CEL's types: scalars, aggregates, wrappers, type parameters, opaque types, and object types whose fields
// the host declares. A CelType is also a run-time value (the result of `type(x)`). Nothing here checks
// expressions; see check/.
import type { CelError } from './error.ts';
import type { Value } from './value.ts';

export type Kind =
  | 'dyn'
  | 'any'
  | 'error'
  | 'null'
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'timestamp'
  | 'duration'
  | 'list'
  | 'map'
  | 'type'
  | 'param'
  | 'object'
  | 'opaque';

/** Converts a raw value of the host to a CEL value. It must not copy what it can wrap. */
export type HostReader = (raw: unknown) => Value;

/** A field of an object type. */
export interface FieldDeclaration {
  readonly type: CelType;
  /** The host's name of the field, if it differs from the name in expressions. */
  readonly key?: string;
  /** How the field's raw value is read; by default as JSON typed by `type` (see host-object.ts). */
  readonly read?: HostReader;
  /**
   * The result of selecting the field if the object does not have it; by default the error `no such key:
   * <name>`.
   */
  readonly absent?: Value;
}

/**
 * How a field is read from the raw form of an object. By default the raw form is a plain object and its own
 * properties count.
 */
export interface HostAccess {
  get(raw: unknown, key: string): unknown;
  has(raw: unknown, key: string): boolean;
}

/** The fields of an object type, and how the host's values are read. */
export interface ObjectDeclaration {
  /** Called each time a field is checked, so types may refer to each other and to themselves. */
  field(name: string): FieldDeclaration | undefined;
  fieldNames(): Iterable<string>;
  readonly access?: HostAccess;
  /** A property that is null counts as absent. For raw forms that are plain objects. */
  readonly nullIsAbsent?: boolean;
  /**
   * Under `dyn`, such an object is a map of its fields. For raw forms that are plain objects.
   */
  readonly isMap?: boolean;
  /**
   * Creates the value of a raw object, if the host needs more than a HostObject (its own equality). For an
   * object type it is a HostObject.
   */
  readonly wrap?: (raw: object) => Value;
  /**
   * Creates the raw form for `Name{field: value}`; without it the type cannot be constructed. Keys are the
   * host's names.
   */
  create?(fields: ReadonlyMap<string, Value>): Value | CelError;
}

/** A type of CEL. */
export class CelType {
  readonly kind: Kind;
  /** The run-time name, as `type(x)` shows it: `int`, `list`, `optional_type`, `net.IP`, … */
  readonly name: string;
  readonly params: readonly CelType[];
  /** Wrapper types include null besides their own values. */
  readonly nullable: boolean;
  readonly object: ObjectDeclaration | undefined;
  /** Whether a type parameter occurs in it. */
  readonly open: boolean;

  constructor(
    kind: Kind,
    name: string,
    params: readonly CelType[] = [],
    nullable = false,
    object?: ObjectDeclaration,
  ) {
    this.kind = kind;
    this.name = name;
    this.params = params;
    this.nullable = nullable;
    this.object = object;
    this.open = kind === 'param' || params.some((param) => param.open);
  }

  toString(): string {
    return formatType(this);
  }
}

/** The type of values whose type is known only at run time. */
export const dynType = new CelType('dyn', 'dyn');

/** google.protobuf.Any: its value decides. */
export const anyType = new CelType('any', 'google.protobuf.Any');

/** The type of an expression that did not check. */
export const errorType = new CelType('error', '*error*');

/** The type of null. */
export const nullType = new CelType('null', 'null_type');

/** The type of true and false. */
export const boolType = new CelType('bool', 'bool');

/** The type of 64-bit signed integers. */
export const intType = new CelType('int', 'int');

/** The type of 64-bit unsigned integers. */
export const uintType = new CelType('uint', 'uint');

/** The type of 64-bit floating-point numbers. */
export const doubleType = new CelType('double', 'double');

/** The type of strings. */
export const stringType = new CelType('string', 'string');

/** The type of byte strings. */
export const bytesType = new CelType('bytes', 'bytes');

/** The type of points in time. */
export const timestampType = new CelType('timestamp', 'google.protobuf.Timestamp');

/** The type of durations. */
export const durationType = new CelType('duration', 'google.protobuf.Duration');
/** The type of an unknown type. */
export const typeType = new CelType('type', 'type');

const lists = new WeakMap<CelType, CelType>();
const maps = new WeakMap<CelType, WeakMap<CelType, CelType>>();

/**
 * One type for each key. Equal types are thus mostly one object, and deep ones are compared by identity.
 * Those with type parameters are not memoized: each check has its own.
 */
function known<K extends object, V>(among: WeakMap<K, V>, key: K, make: () => V): V {
  let found = among.get(key);
  if (found === undefined) among.set(key, (found = make()));
  return found;
}

/** The type of lists of an element type. */
export function listType(element: CelType): CelType {
  const make = (): CelType => new CelType('list', 'list', [element]);
  return element.open ? make() : known(lists, element, make);
}

/** The type of maps from a key type to a value type. */
export function mapType(key: CelType, value: CelType): CelType {
  const make = (): CelType => new CelType('map', 'map', [key, value]);
  if (key.open || value.open) return make();
  return known(
    known(maps, key, () => new WeakMap<CelType, CelType>()),
    value,
    make,
  );
}

/** The type of a type. */
export const typeOfType = (of: CelType): CelType => new CelType('type', 'type', [of]);

/** A parameter in the signature of an overload, such as T in list(T). */
export const typeParam = (name: string): CelType => new CelType('param', name);

/** A type of a library. */
export const opaqueType = (name: string, ...params: CelType[]): CelType =>
  new CelType('opaque', name, params);
const optionals = new WeakMap<CelType, CelType>();

/** The type of values that may be absent. */
export function optionalType(of: CelType): CelType {
  const make = (): CelType => new CelType('opaque', 'optional_type', [of]);
  return of.open ? make() : known(optionals, of, make);
}

/** A type whose values may also be null. */
export const wrapperType = (of: CelType): CelType => new CelType(of.kind, of.name, of.params, true);

/** An object type whose fields are looked up when they are needed. */
export const objectType = (name: string, declaration: ObjectDeclaration): CelType =>
  new CelType('object', name, [], false, declaration);

export const listOfDyn = listType(dynType);
export const mapOfDyn = mapType(dynType, dynType);

/** An object type from a fixed table of fields. */
export function objectTypeOf(
  name: string,
  fields: Readonly<Record<string, FieldDeclaration | CelType>>,
): CelType {
  const declared = new Map(
    Object.entries(fields).map(([key, field]) => [key, field instanceof CelType ? { type: field } : field]),
  );
  return objectType(name, { field: (key) => declared.get(key), fieldNames: () => declared.keys() });
}

export function isOptionalType(type: CelType): boolean {
  return type.kind === 'opaque' && type.name === 'optional_type';
}

export function isDynType(type: CelType): boolean {
  return type.kind === 'dyn' || type.kind === 'any';
}

/** Structural identity: the same kind, name, parameters and nullability. */
export function sameType(a: CelType, b: CelType): boolean {
  if (a === b) return true;
  if (
    a.kind !== b.kind ||
    a.name !== b.name ||
    a.nullable !== b.nullable ||
    a.params.length !== b.params.length
  )
    return false;
  return a.params.every((param, index) => sameType(param, b.params[index]!));
}

const shortNames: Partial<Record<Kind, string>> = {
  any: 'any',
  error: '!error!',
  null: 'null',
  timestamp: 'timestamp',
  duration: 'duration',
};

/** The form that error messages use: `map(string, int)`, `wrapper(int)`, `timestamp`. */
export function formatType(type: CelType): string {
  return formatWithin(type, deepestShown);
}

// A type can be far larger than the expression that made it; deeply nested parts are omitted.
const deepestShown = 12;

function formatWithin(type: CelType, depth: number): string {
  const name = shortNames[type.kind] ?? type.name;
  if (type.nullable) return `wrapper(${name})`;
  if (type.params.length === 0) return name;
  return depth === 0
    ? `${name}(…)`
    : `${name}(${type.params.map((param) => formatWithin(param, depth - 1)).join(', ')})`;
}
