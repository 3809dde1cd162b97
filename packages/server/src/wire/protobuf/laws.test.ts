import { type JsonObject, type JsonValue, printMicroTime, printTime } from '@instar/machinery';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtinDefinitions } from '../../kinds/index.ts';
import type { GoField, GoType, StructType } from '../../objects/go-type.ts';
import { decodeProtobuf } from './decode.ts';
import { encodeProtobuf } from './encode.ts';
import { KINDS } from './kinds.ts';
import { type Field, shapeOf } from './shapes.ts';

/**
 * Values as JSON has them after Go has read them: what is zero is left out, unless the field is a pointer in
 * Go.
 */
type Value = fc.Arbitrary<JsonValue | undefined>;

const DEEPEST = 5;
const text = fc.string({ unit: 'binary', maxLength: 8 });
const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const int64 = fc
  .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
  .map((n) => (Number.isSafeInteger(Number(n)) ? Number(n) : n));
const SECONDS = { min: -62_135_596_799, max: 253_402_300_799 };

function scalar(type: string): Value | undefined {
  switch (type) {
    case 'string':
      return text;
    case 'bytes':
      return fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes).toString('base64'));
    case 'int':
      return fc.oneof(int32, int64);
    case 'double':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'bool':
      return fc.boolean();
    case 'Time':
      return fc.integer(SECONDS).map((seconds) => printTime(seconds * 1000));
    case 'MicroTime':
      return fc
        .tuple(fc.integer(SECONDS), fc.nat(999), fc.nat(999))
        .map(([s, ms, us]) => printMicroTime(s * 1000 + ms, us));
    case 'IntOrString':
      return fc.oneof(int32, text);
    case 'Json':
      return fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);
    default:
      return undefined;
  }
}

const arbitraries = new Map<string, fc.Arbitrary<JsonObject>>();

function messageOf(type: string, depth: number): fc.Arbitrary<JsonObject> {
  const key = `${depth} ${type}`;
  let made = arbitraries.get(key);
  if (made === undefined) {
    const fields = [...shapeOf(type).values()].filter(
      (field) => depth > 0 || scalar(field.type) !== undefined,
    );
    made = fc
      .tuple(...fields.map((field) => fieldOf(field, depth).map((value) => [field.name, value] as const)))
      .map(assembled);
    arbitraries.set(key, made);
  }
  return made;
}

function assembled(fields: readonly (readonly [string, JsonValue | undefined])[]): JsonObject {
  const object: JsonObject = {};
  for (const [name, value] of fields) {
    if (name === '') Object.assign(object, value);
    else if (value !== undefined) object[name] = value;
  }
  return object;
}

function fieldOf(field: Field, depth: number): Value {
  const value = singleValueOf(field, depth);
  const rarely = (made: Value): Value =>
    fc.option(made, {
      nil: undefined,
      freq: scalar(field.type) === undefined && depth < DEEPEST - 1 ? 1 : 4,
    });
  if (field.form === 'list')
    return rarely(
      fc.array(
        value.map((item) => item ?? null),
        { minLength: 1, maxLength: 2 },
      ),
    );
  if (field.form === 'map')
    return rarely(
      fc.dictionary(
        text,
        value.map((item) => item ?? ''),
        { minKeys: 1, maxKeys: 3, noNullPrototype: true },
      ),
    );
  return rarely(value.map((made) => (isLeftOut(made, field) ? undefined : made)));
}

function isLeftOut(value: JsonValue | undefined, { nullable, type }: Field): boolean {
  if (nullable) return value === null;
  if (typeof value === 'object') return value !== null && Object.keys(value).length === 0;
  return value === '' || value === 0 || value === false || (type === 'Json' && value === null);
}

function singleValueOf({ type }: Field, depth: number): Value {
  const schema = (): fc.Arbitrary<JsonObject> => messageOf('JSONSchemaProps', depth - 1);
  switch (type) {
    case 'ExtraValue':
    case 'Verbs':
      return fc.array(text, { maxLength: 2 });
    case 'JSONSchemaPropsOrArray':
      return fc.oneof(schema(), fc.array(schema(), { minLength: 1, maxLength: 2 }));
    case 'JSONSchemaPropsOrStringArray':
      return fc.oneof(schema(), fc.array(text, { minLength: 1, maxLength: 2 }));
    case 'JSONSchemaPropsOrBool':
      return fc.oneof(schema(), fc.boolean());
    default:
      return scalar(type) ?? messageOf(type, depth - 1);
  }
}

describe('what is written and read again is the same', () => {
  it.each([...KINDS])('for %s', (key, message) => {
    const [apiVersion = '', kind = ''] = key.split(' ');
    fc.assert(
      fc.property(messageOf(message, DEEPEST), (fields) => {
        const object = { ...fields, kind, apiVersion };
        expect(decodeProtobuf(encodeProtobuf(object)!)).toEqual(object);
      }),
      { numRuns: 25 },
    );
  });
});

/** The types of the tables for those of Go that are neither lists, maps nor structs. */
const SCALARS: Readonly<Record<string, string>> = {
  string: 'string',
  int32: 'int',
  int64: 'int',
  float64: 'double',
  bool: 'bool',
  bytes: 'bytes',
  time: 'Time',
  microTime: 'MicroTime',
  intOrString: 'IntOrString',
  raw: 'Json',
};

/** Compares a Go type with a message, field by field, and what is in it. */
function compare(type: StructType, message: string, seen = new Set<string>()): void {
  if (seen.has(message)) return;
  seen.add(message);
  const fields = flat(message);
  const names = [...type.fields.keys()].filter(
    (name) => !type.fields.get(name)!.embeddedIn?.includes('TypeMeta'),
  );
  expect({ message, names: [...fields.keys()].sort() }).toEqual({ message, names: names.sort() });
  for (const name of names)
    compareField(type.fields.get(name)!, fields.get(name)!, `${message}.${name}`, seen);
}

function flat(message: string): Map<string, Field> {
  const fields = [...shapeOf(message).values()];
  return new Map(
    fields.flatMap((field) => (field.name === '' ? [...flat(field.type)] : [[field.name, field]])),
  );
}

function compareField(go: GoField, field: Field, path: string, seen: Set<string>): void {
  const inner = go.type.kind === 'list' ? go.type.items : go.type.kind === 'map' ? go.type.values : go.type;
  const form = go.type.kind === 'list' || go.type.kind === 'map' ? go.type.kind : 'one';
  expect({ path, form: field.form, nullable: field.nullable }).toEqual({
    path,
    form,
    nullable: go.pointer ?? false,
  });
  const type = resolved(inner);
  if (type.kind === 'struct') compare(type, field.type, seen);
  else if (type.kind === 'choice')
    expect({ path, standIn: field.standIn }).toMatchObject({ path, standIn: {} });
  else expect({ path, type: field.type }).toEqual({ path, type: SCALARS[type.kind] });
}

const resolved = (type: GoType): GoType => (type.kind === 'lazy' ? resolved(type.type()) : type);

describe('the table of messages', () => {
  const versions = builtinDefinitions.flatMap(({ names, versions }) =>
    versions.map((version) => ({ ...version, names })),
  );

  it.each(versions.map((version) => [`${version.apiVersion} ${version.names.kind}`, version] as const))(
    'has the fields of %s, and its list',
    (key, { goType, apiVersion, names }) => {
      compare(goType!, KINDS.get(key)!);
      expect(KINDS.has(`${apiVersion} ${names.listKind}`)).toBe(true);
    },
  );
});
