// What is generated is valid, by the real validator; it is the same for the same seed, varied, and shrinks to
// something small.
import { deepEqual, isJsonObject, type JsonObject, type JsonValue, type KubeObject } from '@instar/machinery';
import { compileSchema, type JSONSchemaProps } from '@instar/schema';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryOf, GenerationError, type ObjectOptions, requiredOnly } from './arbitrary.ts';
import { faultsOf } from './repair.ts';
import { sample } from './sample.ts';

const TYPE: ObjectOptions = { apiVersion: 'example.com/v1', kind: 'Thing' };
const root = (spec: JSONSchemaProps): JSONSchemaProps => ({
  type: 'object',
  required: ['spec'],
  properties: { spec },
});
const object = (
  properties: Record<string, JSONSchemaProps>,
  more: JSONSchemaProps = {},
): JSONSchemaProps => ({
  type: 'object',
  properties,
  ...more,
});
const text: JSONSchemaProps = { type: 'string' };

function specs(spec: JSONSchemaProps, count = 60, options: Partial<ObjectOptions> = {}): JsonValue[] {
  const schema = compileSchema(root(spec));
  const objects = sample(arbitraryOf(schema, { ...TYPE, ...options }), count, 42) as unknown as JsonObject[];
  for (const one of objects) expect([faultsOf(one, schema), schema.prune(one)]).toEqual([[], []]);
  return objects.map((one) => one['spec']!);
}

const distinct = (values: readonly JsonValue[]): number =>
  new Set(values.map((value) => JSON.stringify(value))).size;

const FORMATS = [
  ...[
    'bsonobjectid',
    'uri',
    'email',
    'hostname',
    'ipv4',
    'ipv6',
    'cidr',
    'mac',
    'uuid',
    'uuid3',
    'uuid4',
    'uuid5',
    'isbn',
    'isbn10',
    'isbn13',
  ],
  ...[
    'creditcard',
    'ssn',
    'hexcolor',
    'rgbcolor',
    'byte',
    'password',
    'date',
    'duration',
    'date-time',
    'datetime',
    'k8s-short-name',
    'k8s-long-name',
  ],
];

describe('values', () => {
  it.each(FORMATS)('of format %s are valid', (format) => {
    specs({ type: 'string', format });
  });

  it.each<[string, JSONSchemaProps]>([
    ['a pattern', { type: 'string', pattern: '^[a-z]([-a-z0-9]{0,5}[a-z0-9])?$' }],
    [
      'a pattern with alternatives, classes and flags',
      { type: 'string', pattern: '^(?i)(ab|[[:digit:]]{2,3}|\\pL\\x41)\\.\\Q*.\\E[^a-y ]?$' },
    ],
    [
      'a pattern and lengths',
      { type: 'string', pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', minLength: 20, maxLength: 24 },
    ],
    ['lengths', { type: 'string', minLength: 3, maxLength: 5 }],
    ['limits', { type: 'integer', minimum: 3, maximum: 9, exclusiveMaximum: true }],
    ['narrow limits', { type: 'number', minimum: 0.2, maximum: 0.4 }],
    ['multiples', { type: 'integer', multipleOf: 5, minimum: 3, maximum: 31 }],
    ['int32', { type: 'integer', format: 'int32' }],
    ['an enum', { type: 'string', enum: ['a', 'b', 'c'] }],
    [
      'int-or-string',
      {
        'x-kubernetes-int-or-string': true,
        anyOf: [{ type: 'integer' }, { type: 'string' }],
        pattern: '^([0-9]+%|auto)$',
      },
    ],
    ['anything', { 'x-kubernetes-preserve-unknown-fields': true }],
    [
      'a set',
      {
        type: 'array',
        items: { type: 'string', enum: ['a', 'b', 'c'] },
        minItems: 2,
        'x-kubernetes-list-type': 'set',
      },
    ],
    [
      'a map',
      { type: 'object', additionalProperties: { type: 'integer' }, minProperties: 2, maxProperties: 3 },
    ],
    ['nullable', { type: 'string', nullable: true }],
    [
      'one of two required fields',
      object({ a: text, b: text }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
    ],
    [
      'any of two required fields',
      object({ a: text, b: text }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
    ],
    [
      'all of several demands',
      object({ a: text }, { allOf: [{ required: ['a'] }, { properties: { a: { maxLength: 3 } } }] }),
    ],
    [
      'not a field',
      object({ a: text, b: text }, { not: { anyOf: [{ required: ['a'] }] }, minProperties: 1 }),
    ],
    ['fields that are kept unknown', object({ a: text }, { 'x-kubernetes-preserve-unknown-fields': true })],
  ])('of %s are valid, and differ', (_, schema) => {
    expect(distinct(specs(schema))).toBeGreaterThan(1);
  });

  it('of a list with keys have distinct keys', () => {
    const items = object({ name: text, port: { type: 'integer' } }, { required: ['name'] });
    specs({
      type: 'array',
      items,
      minItems: 3,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name', 'port'],
    });
  });

  it('include embedded resources with their type', () => {
    for (const one of specs({
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    }))
      expect(Object.keys(one as JsonObject)).toEqual(expect.arrayContaining(['apiVersion', 'kind']));
  });

  it('cover every field of a schema soon', () => {
    const names = Array.from({ length: 30 }, (_, index) => `f${index}`);
    const seen = new Set(
      specs(object(Object.fromEntries(names.map((name) => [name, text]))), 200).flatMap((one) =>
        Object.keys(one as JsonObject),
      ),
    );
    expect(seen.size).toBe(30);
  });
});

describe('rules', () => {
  const number: JSONSchemaProps = { type: 'integer', minimum: 0, maximum: 20 };
  const properties = {
    min: number,
    max: number,
    mode: { type: 'string', enum: ['A', 'B'] },
    a: text,
    b: text,
    list: { type: 'array', items: text },
  };
  it.each([
    'self.min <= self.max',
    'self.min < self.max && self.max % 2 == 0',
    "self.mode == 'A' ? has(self.a) : !has(self.a)",
    'has(self.a) != has(self.b)',
    '[has(self.a), has(self.b)].filter(x, x).size() == 1',
    "self.a.startsWith('x-') && self.a.endsWith('.y') && self.a.size() > 5",
    "self.a.matches('^[0-9]{4}$') || self.b == self.a",
    "self.list.size() == 3 && self.list.all(x, x in ['p', 'q', 'r'])",
    'self.list.exists(x, x == self.a) && self.list.all(x, self.list.exists_one(y, x == y))',
    "isURL(self.a) && url(self.a).getScheme() == 'https'",
    'isIP(self.a) && isCIDR(self.b)',
    "self.?b.orValue('') == 'on'",
    'duration(self.a) > duration("1s")',
  ])('%s can be met', (rule) => {
    const spec = object(properties, {
      required: ['min', 'max', 'mode', 'a', 'list'],
      'x-kubernetes-validations': [{ rule }],
    });
    const relaxed = rule.includes('has(self.a)') ? { ...spec, required: ['min', 'max', 'mode'] } : spec;
    expect(distinct(specs(relaxed, 25))).toBeGreaterThan(5);
  });

  it('that contradict each other are reported', () => {
    const spec = object(
      { a: number },
      {
        required: ['a'],
        'x-kubernetes-validations': [
          { rule: 'self.a > 3' },
          { rule: 'self.a < 3', message: 'must be small' },
        ],
      },
    );
    expect(() => sample(arbitraryOf(root(spec), TYPE), 1, 1)).toThrow(GenerationError);
    expect(() => sample(arbitraryOf(root(spec), TYPE), 1, 1)).toThrow(
      /no valid Thing of example.com\/v1 could be made: spec: (must be small|failed rule)/,
    );
  });

  it('that an optional part cannot meet cause it to be left out, which is reported', () => {
    const never = object({ x: text }, { 'x-kubernetes-validations': [{ rule: 'false', message: 'never' }] });
    const objects = arbitraryOf(root(object({ never, a: text })), { ...TYPE, size: 'large' });
    for (const one of sample(objects, 20, 3)) expect(one['spec']).not.toHaveProperty('never');
    expect([...objects.statistics.leftOut.keys()].join()).toContain('never');
  });
});

describe('objects', () => {
  const schema = root(
    object(
      {
        need: text,
        may: { type: 'array', items: object({ deep: { type: 'integer' } }) },
        by: { type: 'string', default: 'x' },
      },
      { required: ['need'] },
    ),
  );

  it('are the same for the same seed', () => {
    expect(sample(arbitraryOf(schema, TYPE), 20, 5)).toEqual(sample(arbitraryOf(schema, TYPE), 20, 5));
    expect(sample(arbitraryOf(schema, TYPE), 20, 5)).not.toEqual(sample(arbitraryOf(schema, TYPE), 20, 6));
  });

  it('have required fields only, if asked', () => {
    for (const one of sample(requiredOnly(schema, { ...TYPE, defaults: false }), 20, 1)) {
      expect(Object.keys(one['spec'] as object)).toEqual(['need']);
      expect(Object.keys(one.metadata)).toEqual(['name', 'namespace', 'uid', 'creationTimestamp']);
    }
    for (const one of sample(requiredOnly(schema, { ...TYPE, namespaced: false }), 5, 1)) {
      expect(one['spec']).toMatchObject({ by: 'x' });
      expect(one.metadata.namespace).toBeUndefined();
    }
  });

  it('shrink to the smallest that still fails, as a property and by themselves', () => {
    const hasDeep = (one: KubeObject): boolean => {
      const may = (one['spec'] as JsonObject)['may'];
      return (
        Array.isArray(may) &&
        may.some((item) => isJsonObject(item) && item['deep'] !== undefined && Number(item['deep']) > 10)
      );
    };
    const { counterexample } = fc.check(
      fc.property(arbitraryOf(schema, TYPE), (one) => !hasDeep(one)),
      { seed: 11, numRuns: 500 },
    );
    const [smallest] = counterexample!;
    expect(smallest['spec']).toEqual({ need: '', may: [{ deep: 11 }], by: 'x' });
  });

  it('shrink to valid and smaller ones only', () => {
    const arbitrary = arbitraryOf(schema, TYPE);
    const compiled = compileSchema(schema);
    for (const one of sample(arbitrary, 10, 8)) {
      for (const { value } of arbitrary.shrink(one)) {
        expect(faultsOf(value as unknown as JsonObject, compiled)).toEqual([]);
        expect(deepEqual(value as unknown as JsonObject, one as unknown as JsonObject)).toBe(false);
      }
    }
  });
});
