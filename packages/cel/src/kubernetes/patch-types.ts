// The types that expressions of mutating policies construct: Object and Object.a.b for objects of which no
// schema is known here, so that every field has type dyn; and JSONPatch, one operation of a JSON Patch.
import type { Environment } from '../environment.ts';
import { equalValues } from '../values/equality.ts';
import { HostObject } from '../values/host-object.ts';
import { CelList } from '../values/list.ts';
import { CelMap } from '../values/map.ts';
import {
  CelType,
  dynType,
  type FieldDeclaration,
  type HostAccess,
  objectType,
  stringType,
} from '../values/types.ts';
import type { Value } from '../values.ts';
import { jsonPatchLibrary } from './libraries/json-patch.ts';

type Fields = ReadonlyMap<string, Value>;

/** An object that an expression has constructed: its fields by name. */
export class StructValue extends HostObject {
  readonly fields: Fields;

  constructor(type: CelType, fields: Fields) {
    super(type, fields);
    this.fields = fields;
  }

  override equals(other: Value): boolean {
    if (!(other instanceof StructValue) || other.type.name !== this.type.name) return false;
    if (other.fields.size !== this.fields.size) return false;
    for (const [name, value] of this.fields) {
      const theirs = other.fields.get(name);
      if (theirs === undefined || !equalValues(value, theirs)) return false;
    }
    return true;
  }
}

const access: HostAccess = {
  get: (raw, name) => (raw as Fields).get(name),
  has: (raw, name) => (raw as Fields).has(name),
};
const readValue = (raw: unknown): Value => raw as Value;

function structType(name: string, field: (name: string) => FieldDeclaration, names: string[] = []): CelType {
  const type: CelType = objectType(name, {
    field,
    fieldNames: () => names,
    access,
    create: (fields) => new StructValue(type, fields),
  });
  return type;
}

const ANYTHING: FieldDeclaration = { type: dynType, read: readValue };
const TEXT: FieldDeclaration = { type: stringType, read: readValue };
/** Upstream lets the type of an unknown field be nothing, which no value has. */
const NOTHING: FieldDeclaration = { type: new CelType('object', ''), read: readValue };

const objectTypeNamed = (name: string): CelType => structType(name, () => ANYTHING);

/** The type of an apply configuration. */
export const OBJECT_TYPE: CelType = objectTypeNamed('Object');

const OPERATION = new Map([
  ['op', TEXT],
  ['path', TEXT],
  ['from', TEXT],
  ['value', ANYTHING],
]);

/** The type of one operation of a JSON Patch. */
export const JSON_PATCH_TYPE: CelType = structType('JSONPatch', (name) => OPERATION.get(name) ?? NOTHING, [
  ...OPERATION.keys(),
]);

/** An environment whose expressions may construct patches. */
export const patchEnvironment = (environment: Environment): Environment =>
  environment.extend({
    libraries: [jsonPatchLibrary],
    types: [JSON_PATCH_TYPE],
    typeFamilies: [
      { root: 'Object', type: (name) => (name === 'Object' ? OBJECT_TYPE : objectTypeNamed(name)) },
    ],
  });

/**
 * Where types are not named as the fields that hold them: Object.spec must be in `spec` of Object. Lists and
 * maps have no name of their own.
 */
export function typeNameFaults(value: StructValue): string[] {
  return faultsWithin(value, value.type.name);
}

function faultsWithin(value: Value, expected: string): string[] {
  if (value instanceof StructValue) {
    const { name } = value.type;
    const why = `unexpected type name ${JSON.stringify(name)}, expected ${JSON.stringify(expected)}, which matches field name path from root Object type`;
    const inner = [...value.fields].flatMap(([field, each]) => faultsWithin(each, `${expected}.${field}`));
    return name === expected ? inner : [why, ...inner];
  }
  if (value instanceof CelList) return [...value].flatMap((each) => faultsWithin(each, expected));
  if (value instanceof CelMap)
    return [...value.keys()].flatMap((key) => faultsWithin(value.get(key)!, expected));
  return [];
}
