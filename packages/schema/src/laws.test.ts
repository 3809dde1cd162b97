// Laws that hold for every schema and every object.
import { encodeUtf8 } from '@instar/go';
import { deepCopy, encodeJson, isKnownJson, type JsonObject, type JsonValue } from '@instar/machinery';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileSchema } from './compile.ts';
import type { JSONSchemaProps } from './json-schema-props.ts';
import type { CompiledSchema } from './schema.ts';
import type { Normalization } from './shape/node-shape.ts';
import type { SchemaNode } from './tree/schema-node.ts';
import { explain } from './validate/explain.ts';
import { ValueSchema } from './validate/value-schema.ts';

const NAMES = ['a', 'b', 'c', '__proto__', 'constructor'];
const name = fc.constantFrom(...NAMES);
const scalar = fc.oneof(
  fc.constantFrom<JsonValue>(
    null,
    true,
    false,
    0,
    1,
    5,
    10,
    0.5,
    1e20,
    9007199254740993n,
    '',
    'a',
    'abc',
    '2024-01-01',
  ),
  fc.integer({ min: -3, max: 12 }),
);

const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

const limits = fc.record(
  {
    nullable: fc.boolean(),
    minimum: fc.constantFrom(0, 2, 0.5),
    maximum: fc.constantFrom(5, 7.5),
    multipleOf: fc.constantFrom(2, 0.5),
    minLength: fc.constantFrom(1, 2),
    maxLength: fc.constantFrom(1, 3),
    pattern: fc.constantFrom('^a', 'c$'),
    format: fc.constantFrom('date', 'int32', 'nothing'),
    maxItems: fc.constantFrom(0, 1, 2),
    enum: fc.array(scalar, { minLength: 1, maxLength: 3 }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JSONSchemaProps>;

/** Schemas without keywords that pruning may violate: required and minProperties. */
const { schema } = fc.letrec<{ schema: JSONSchemaProps }>((tie) => {
  const withLimits = (base: fc.Arbitrary<JSONSchemaProps>): fc.Arbitrary<JSONSchemaProps> =>
    fc.tuple(base, limits).map(([one, more]) => ({ ...more, ...one }));
  const properties = fc.dictionary(name, tie('schema'), { maxKeys: 4, noNullPrototype: true });
  return {
    schema: fc.oneof(
      { depthSize: 'small' },
      withLimits(fc.constantFrom('string', 'integer', 'number', 'boolean').map((type) => ({ type }))),
      withLimits(fc.constant({ 'x-kubernetes-int-or-string': true })),
      fc.constant<JSONSchemaProps>({ 'x-kubernetes-preserve-unknown-fields': true }),
      withLimits(tie('schema').map((items) => ({ type: 'array', items }))),
      fc.tuple(tie('schema'), fc.constantFrom('set', 'atomic')).map(([items, type]) => ({
        type: 'array',
        items,
        'x-kubernetes-list-type': type as 'set' | 'atomic',
      })),
      fc.tuple(properties, fc.boolean()).map(([all, preserve]) => ({
        type: 'object',
        properties: all,
        ...(preserve && { 'x-kubernetes-preserve-unknown-fields': true }),
      })),
      tie('schema').map((additionalProperties) => ({ type: 'object', additionalProperties })),
    ),
  };
});

/** The same, with a junctor or a default. */
const anySchema = fc
  .tuple(schema, fc.array(schema, { maxLength: 2 }), value, fc.nat(5))
  .map(([base, branches, sample, which]) => {
    if (which === 0) return { ...base, anyOf: branches };
    if (which === 1) return { ...base, oneOf: branches };
    if (which === 2) return { ...base, allOf: branches };
    if (which === 3 && branches[0] !== undefined) return { ...base, not: branches[0] };
    return sample === null ? base : { ...base, default: sample };
  });

const root = (spec: JSONSchemaProps): JSONSchemaProps => ({ type: 'object', properties: { spec } });
const object = value.map((spec): JsonObject => ({ spec }));

describe('prune and default', () => {
  it('pruning is idempotent', () => {
    fc.assert(
      fc.property(anySchema, object, (spec, given) => {
        const compiled = compileSchema(root(spec));
        compiled.prune(given);
        const once = deepCopy(given);
        expect(compiled.prune(given)).toEqual([]);
        expect(given).toEqual(once);
      }),
    );
  });

  it('change nothing when they are repeated', () => {
    fc.assert(
      fc.property(anySchema, object, (spec, given) => {
        const compiled = compileSchema(
          root({ type: 'object', properties: { a: spec, b: { type: 'array', items: spec } } }),
        );
        const nested: JsonObject = { spec: { b: [given['spec']!, {}] } };
        compiled.prune(nested);
        compiled.applyDefaults(nested);
        const once = deepCopy(nested);
        expect(compiled.applyDefaults(nested)).toBe(false);
        expect(compiled.prune(nested)).toEqual([]);
        expect(nested).toEqual(once);
      }),
    );
  });
});

describe('the shape for reading bytes', () => {
  const kept = (compiled: CompiledSchema, given: JsonObject, normalization: Normalization): void => {
    compiled.prune(given);
    if (normalization === 'pruned and defaulted') compiled.applyDefaults(given);
  };
  /** The schema occurs as a member and as an item, for which different rules hold. */
  const twice = (spec: JSONSchemaProps): JSONSchemaProps =>
    root({ type: 'object', properties: { a: spec, b: { type: 'array', items: spec } } });
  const given = fc
    .record({ a: value, b: fc.array(value, { maxLength: 2 }) }, { requiredKeys: [] })
    .map((spec): JsonObject => ({ spec }));
  const normalization = fc.constantFrom<Normalization>('pruned', 'pruned and defaulted');

  it('knows only objects that normalization leaves unchanged', () => {
    fc.assert(
      fc.property(anySchema, given, normalization, (spec, object, what) => {
        const compiled = compileSchema(twice(spec));
        fc.pre(isKnownJson(encodeUtf8(encodeJson(object)), compiled.shape(what)!));
        const before = deepCopy(object);
        kept(compiled, object, what);
        expect(object).toEqual(before);
      }),
      { numRuns: 1000 },
    );
  });

  it('knows all normalized objects, unless they have long numbers', () => {
    fc.assert(
      fc.property(anySchema, given, normalization, (spec, object, what) => {
        const compiled = compileSchema(twice(spec));
        kept(compiled, object, what);
        const text = encodeJson(object);
        fc.pre(!/\d{16}/.test(text));
        expect(isKnownJson(encodeUtf8(text), compiled.shape(what)!)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('validate', () => {
  it('explains exactly the values that a check refuses', () => {
    fc.assert(
      fc.property(anySchema, object, (spec, given) => {
        const values = ValueSchema.of(compileSchema(root(spec)).root as SchemaNode);
        const { faults } = explain(values, given, { name: '', counting: true });
        expect(values.accepts(given)).toBe(faults.length === 0);
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps a valid object valid when it is pruned', () => {
    fc.assert(
      fc.property(schema, object, (spec, given) => {
        const compiled = compileSchema(root({ ...spec, enum: [] }));
        fc.pre(compiled.validate(given).length === 0);
        compiled.prune(given);
        expect(compiled.validate(given)).toEqual([]);
      }),
    );
  });

  // Upstream treats an object with members without a schema as changed, so these are omitted.
  it('never refuses an update that changes nothing', () => {
    fc.assert(
      fc.property(anySchema, object, (spec, given) => {
        const compiled = compileSchema(root(spec));
        compiled.prune(given);
        fc.pre(!encodeJson(spec).includes('preserve') && compiled.firstTypeMismatch(given) === undefined);
        expect(compiled.validate(given, { old: deepCopy(given) })).toEqual([]);
      }),
    );
  });
});
