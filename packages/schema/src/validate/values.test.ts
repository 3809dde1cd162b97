import { FieldPath, fieldErrorMessage, type JsonValue } from '@instar/machinery';
import { describe, expect, it } from 'vitest';
import { compileSchema } from '../compile.ts';
import type { JSONSchemaProps } from '../json-schema-props.ts';

/** The messages for a value at spec.value. */
function messages(value: JSONSchemaProps, given: JsonValue): string[] {
  const schema = compileSchema({
    type: 'object',
    properties: { spec: { type: 'object', properties: { value } } },
  });
  return schema.validate({ spec: { value: given } }).map(fieldErrorMessage);
}

describe('types', () => {
  it.each<[JSONSchemaProps, JsonValue]>([
    [{ type: 'string' }, ''],
    [{ type: 'integer' }, 3],
    [{ type: 'integer' }, 9223372036854775807n],
    [{ type: 'number' }, 3],
    [{ type: 'number' }, 0.5],
    [{ type: 'boolean' }, false],
    [{ type: 'array', items: { type: 'string' } }, ['a']],
    [{ type: 'object' }, {}],
    [{ 'x-kubernetes-int-or-string': true }, 5],
    [{ 'x-kubernetes-int-or-string': true }, '5%'],
    [{ 'x-kubernetes-preserve-unknown-fields': true }, [1, null]],
    [{ type: 'string', nullable: true }, null],
    // Upstream accepts a list for a string with a format.
    [{ type: 'string', format: 'date' }, [1]],
  ])('%j accepts %s', (schema, value) => {
    expect(messages(schema, value)).toEqual([]);
  });

  it('report the expected and the actual type', () => {
    expect(messages({ type: 'string' }, true)).toEqual([
      'spec.value: Invalid value: "boolean": spec.value in body must be of type string: "boolean"',
    ]);
    expect(messages({ 'x-kubernetes-int-or-string': true }, 2.5)).toEqual([
      'spec.value: Invalid value: "number": spec.value in body must be of type integer,string: "number"',
    ]);
    expect(messages({ type: 'string' }, null)).toEqual([
      'spec.value: Invalid value: "null": spec.value in body must be of type string: "null"',
    ]);
  });

  it('report a fraction for an integer twice, as upstream does, by its format if it has one', () => {
    expect(messages({ type: 'integer' }, 1.5)).toEqual([
      'spec.value: Invalid value: "number": spec.value in body must be of type integer: "number"',
      '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.value',
    ]);
    expect(messages({ type: 'integer', format: 'int64' }, 2.5)[0]).toBe(
      'spec.value: Invalid value: "float64": spec.value in body must be of type int64: "float64"',
    );
  });
});

describe('keywords', () => {
  it.each<[JSONSchemaProps, JsonValue, string]>([
    [
      { type: 'string', enum: ['a', 'b'] },
      'c',
      'spec.value: Unsupported value: "c": supported values: "a", "b"',
    ],
    [
      { type: 'string', nullable: true, enum: ['a'] },
      null,
      'spec.value: Unsupported value: null: supported values: "a"',
    ],
    [
      { type: 'object', enum: [{ a: 1 }] },
      { b: 1, a: 3 },
      'spec.value: Unsupported value: {"a":3,"b":1}: supported values: "{\\"a\\":1}"',
    ],
    [
      { type: 'string', minLength: 2 },
      'é',
      'spec.value: Invalid value: "é": spec.value in body should be at least 2 chars long',
    ],
    [{ type: 'string', maxLength: 2 }, '😀😀😀', 'spec.value: Too long: may not be more than 2 bytes'],
    [
      { type: 'string', pattern: '^a' },
      'b',
      'spec.value: Invalid value: "b": spec.value in body should match \'^a\'',
    ],
    [
      { type: 'array', minItems: 1 },
      [],
      'spec.value: Invalid value: 0: spec.value in body should have at least 1 items',
    ],
    [{ type: 'array', maxItems: 1 }, [1, 2], 'spec.value: Too many: 2: must have at most 1 item'],
    [
      { type: 'array', uniqueItems: true },
      [1, 1],
      'spec.value: Invalid value: "": spec.value in body shouldn\'t contain duplicates',
    ],
    [
      { type: 'object', minProperties: 1 },
      {},
      'spec.value: Invalid value: 0: spec.value in body should have at least 1 properties',
    ],
    [
      { type: 'object', maxProperties: 1 },
      { a: 1, b: 2 },
      'spec.value: Too many: 2: must have at most 1 item',
    ],
    [{ type: 'object', required: ['constructor'] }, {}, 'spec.value.constructor: Required value'],
    [
      { type: 'integer', minimum: 3 },
      2,
      'spec.value: Invalid value: 2: spec.value in body should be greater than or equal to 3',
    ],
    [
      { type: 'number', maximum: 7.5, exclusiveMaximum: true },
      7.5,
      'spec.value: Invalid value: 7.5: spec.value in body should be less than 7.5',
    ],
    [
      { type: 'integer', multipleOf: 5 },
      7,
      'spec.value: Invalid value: 7: spec.value in body should be a multiple of 5',
    ],
    [
      { type: 'number', multipleOf: 0.25 },
      1.3,
      'spec.value: Invalid value: 1.3: spec.value in body should be a multiple of 0.25',
    ],
    [
      { type: 'integer', maximum: 9007199254740992 },
      9007199254740993n,
      'spec.value: Invalid value: 9007199254740993: spec.value in body should be less than or equal to 9007199254740992',
    ],
    [
      { type: 'integer', format: 'int32' },
      2147483648,
      '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.value',
    ],
    [
      { type: 'number', format: 'float' },
      1e39,
      '<nil>: Invalid value: "": Checked value must be of type number with format float in spec.value',
    ],
    [
      { type: 'object', additionalProperties: { type: 'string' } },
      { 'a.b/c': 1 },
      'spec.value.a.b/c: Invalid value: "integer": spec.value.a.b/c in body must be of type string: "integer"',
    ],
  ])('%j refuses %s', (schema, value, message) => {
    expect(messages(schema, value)).toEqual([message]);
  });

  it('report only the first violated keyword of a string', () => {
    expect(messages({ type: 'string', maxLength: 3 }, '😀😀😀')).toEqual([]);
    expect(messages({ type: 'number', multipleOf: 0.25 }, 1.75)).toEqual([]);
    expect(messages({ type: 'string', minLength: 3, pattern: '^a' }, 'b')).toHaveLength(1);
  });

  it('match patterns in linear time', () => {
    expect(messages({ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(50_000)}!`)).toHaveLength(1);
  });

  it('print limits of floats as Go does', () => {
    expect(messages({ type: 'number', maximum: 1234567.5 }, 2e7 + 0.5)[0]).toContain(
      'should be less than or equal to 1.2345675e+06',
    );
  });
});

describe('junctors', () => {
  it('report the branch of anyOf in which most checks held', () => {
    const nested: JSONSchemaProps = {
      type: 'object',
      properties: { mode: { type: 'string' }, size: { type: 'integer' } },
      anyOf: [
        { properties: { mode: { enum: ['auto'] } } },
        { required: ['size'], properties: { size: { minimum: 1 } } },
      ],
    };
    expect(messages(nested, { mode: 'manual', size: 0 })).toEqual([
      '<nil>: Invalid value: "": "spec.value" must validate at least one schema (anyOf)',
      'spec.value.size: Invalid value: 0: spec.value.size in body should be greater than or equal to 1',
    ]);
  });

  it('count the valid alternatives of oneOf', () => {
    const schema: JSONSchemaProps = { type: 'integer', oneOf: [{ maximum: 5 }, { minimum: 3 }] };
    expect(messages(schema, 2)).toEqual([]);
    expect(messages(schema, 4)).toEqual([
      '<nil>: Invalid value: "": "spec.value" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ]);
  });

  it('report whether any branch of allOf held', () => {
    const all: JSONSchemaProps = { type: 'integer', allOf: [{ minimum: 3 }, { multipleOf: 2 }] };
    expect(messages(all, 5)[1]).toBe(
      '<nil>: Invalid value: "": "spec.value" must validate all the schemas (allOf)',
    );
    expect(messages(all, 1)[2]).toBe(
      '<nil>: Invalid value: "": "spec.value" must validate all the schemas (allOf). None validated',
    );
  });

  it('report that the schema of not held', () => {
    expect(messages({ type: 'string', not: { enum: ['root'] } }, 'root')).toEqual([
      '<nil>: Invalid value: "": "spec.value" must not validate the schema (not)',
    ]);
  });
});

it('an update of status validates only status, with paths relative to it', () => {
  const schema = compileSchema({
    type: 'object',
    properties: {
      spec: { type: 'integer' },
      status: { type: 'object', properties: { a: { type: 'string' } } },
    },
  });
  const errors = schema.validate(
    { spec: 'wrong', status: { a: 1 } },
    { old: { spec: 'wrong' }, statusOnly: true, path: FieldPath.root },
  );
  expect(errors.map(fieldErrorMessage)).toEqual([
    'status.a: Invalid value: "integer": a in body must be of type string: "integer"',
  ]);
});
