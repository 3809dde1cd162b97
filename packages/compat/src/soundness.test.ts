// The law that keeps the checker from being too lax: if it finds nothing that breaks, every object of the old
// schema is valid by the new one and keeps all its fields. Schemas are generated, with every keyword; the new
// one differs from the old one at one path.
import { arbitraryOf } from '@instar/lens/proof';
import { asJson, type JsonObject } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { check, checkObjects, definitionOf, type Finding } from './index.ts';
import { object, widgets } from './testing/widgets.ts';
import { isSchema } from './walk/walk-schemas.ts';

type Keywords = Partial<Record<keyof JSONSchemaProps, fc.Arbitrary<unknown>>>;

/** A schema of the type, with `always` and any of `keywords`. */
const some = (type: string, keywords: Keywords, always: Keywords = {}): fc.Arbitrary<JSONSchemaProps> =>
  fc
    .tuple(fc.record(always), fc.record(keywords, { requiredKeys: [] }))
    .map(([fixed, chosen]) => ({ type, ...fixed, ...chosen }) as JSONSchemaProps);

const TRUE = fc.constant(true);

const schemas = fc.letrec<{ node: JSONSchemaProps }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    some('string', {
      nullable: TRUE,
      maxLength: fc.nat(3),
      minLength: fc.nat(2),
      enum: fc.uniqueArray(fc.constantFrom('a', 'b', 'ab'), { minLength: 1 }),
      pattern: fc.constantFrom('^a', 'b$', '^[ab]+$', '^[ab]*$', '^(a|b)$'),
      format: fc.constantFrom('date', 'uuid', 'color'),
      not: fc.constantFrom({ enum: ['a'] }, { pattern: 'b' }),
      allOf: fc.constantFrom(
        [{ maxLength: 2 }],
        [{ enum: ['a', 'b'] }],
        [{ pattern: 'a' }],
        [{ not: { enum: ['b'] } }],
      ),
      anyOf: fc.constantFrom([{ maxLength: 1 }, { pattern: 'a' }], [{ maxLength: 1 }]),
    }),
    some('integer', {
      nullable: TRUE,
      minimum: fc.nat(3),
      maximum: fc.nat(9),
      exclusiveMinimum: fc.boolean(),
      exclusiveMaximum: fc.boolean(),
      multipleOf: fc.constantFrom(1, 2, 4, 0.5),
      format: fc.constantFrom('int32', 'int64'),
    }),
    // The API server refuses defaults that are not valid themselves.
    some('integer', {}, { default: fc.nat(2) }),
    some('number', { minimum: fc.nat(3), multipleOf: fc.constantFrom(1, 0.5) }),
    some('boolean', {}),
    fc.constantFrom<JSONSchemaProps>(
      { 'x-kubernetes-int-or-string': true },
      { 'x-kubernetes-preserve-unknown-fields': true },
    ),
    some('array', { maxItems: fc.nat(3), minItems: fc.nat(2) }, { items: tie('node') }),
    some(
      'array',
      { 'x-kubernetes-list-type': fc.constantFrom('set', 'atomic') },
      { items: some('string', {}) },
    ),
    some(
      'object',
      { minProperties: fc.nat(1), maxProperties: fc.nat(2) },
      { additionalProperties: tie('node') },
    ),
    some('object', {
      nullable: TRUE,
      properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('node'), {
        maxKeys: 3,
        noNullPrototype: true,
      }),
      required: fc.subarray(['a', 'b']),
      oneOf: fc.constant([{ required: ['a'] }, { required: ['b'] }]),
      'x-kubernetes-preserve-unknown-fields': TRUE,
      'x-kubernetes-validations': fc.constantFrom([{ rule: 'true' }], [{ rule: 'has(self.a)' }]),
    }),
  ),
})).node;

/** Every schema within a schema, itself first. */
function within(schema: JSONSchemaProps): JSONSchemaProps[] {
  const below = [...Object.values(schema.properties ?? {}), schema.items, schema.additionalProperties];
  return [
    schema,
    ...below.flatMap((child) => (typeof child === 'object' && isSchema(child) ? within(child) : [])),
  ];
}

/** With limits a default may be invalid, and the API server refuses it. */
function withoutDefault({ default: _, ...rest }: JSONSchemaProps): JSONSchemaProps {
  return rest;
}

/** Two schemas, the second with the keywords of a third at one path. */
const pairs = fc
  .tuple(schemas, schemas, fc.nat(), fc.nat())
  .map(([old, other, position, choice]): [JSONSchemaProps, JSONSchemaProps] => {
    const next = structuredClone(old);
    const candidates = within(next);
    const changed = candidates[position % candidates.length]!;
    const keywords = Object.keys(changed).filter(
      (key) => key !== 'type' && key !== 'items' && key !== 'additionalProperties',
    ) as (keyof JSONSchemaProps)[];
    if (choice % 2 === 0 && keywords.length > 0) delete changed[keywords[choice % keywords.length]!];
    else if (changed.type === other.type) Object.assign(changed, withoutDefault(other));
    else if (changed.properties !== undefined) changed.properties['a'] = other;
    return [old, next];
  });

function objectsOf(definition: JsonObject, seed: number): JsonObject[] {
  const schema = definitionOf(definition)!.spec.versions[0]!.schema!.openAPIV3Schema!;
  try {
    return fc
      .sample(arbitraryOf(schema, { apiVersion: 'foomake.io/v1', kind: 'Widget' }), { numRuns: 5, seed })
      .map(asJson);
  } catch {
    // The schema has no valid object: a minimum above the maximum.
    return [];
  }
}

/**
 * A field that is declared where unknown fields were preserved is only a caution, which says that existing
 * values are now validated.
 */
function isWarning({ severity, rule }: Finding): boolean {
  return (
    severity === 'breaking' ||
    severity === 'unsure' ||
    (severity === 'caution' && (rule === 'field-added' || rule === 'new-required-field'))
  );
}

it('warns of every change that refuses or prunes what was valid', () => {
  let compared = 0;
  fc.assert(
    fc.property(pairs, fc.nat(), (specs, seed) => {
      const [old, next] = specs.map((value) => widgets({ v1: { spec: object({ value }) } })) as [
        JsonObject,
        JsonObject,
      ];
      const reported = check(old, next);
      if (reported.length === 0 || reported.some(isWarning)) return;
      const objects = objectsOf(old, seed);
      compared += objects.length;
      const { findings } = checkObjects(definitionOf(old)!, definitionOf(next)!, objects);
      expect(
        findings.map(({ path, evidence }) => ({
          path,
          evidence,
          reported: reported.map(({ rule, message }) => `${rule}: ${message}`),
        })),
      ).toEqual([]);
    }),
    { numRuns: 1500 },
  );
  expect(compared).toBeGreaterThan(100);
});
