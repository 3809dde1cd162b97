import type { JsonObject, JsonValue } from '@instar/machinery';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check, lint } from './index.ts';
import { object, widgets } from './testing/widgets.ts';

const spec = (more: object) => widgets({ v1: { spec: object({ value: { type: 'string', ...more } }) } });
const severe = (old: JsonObject, next: JsonObject) =>
  check(old, next).filter(({ severity }) => severity === 'breaking' || severity === 'unsure');

describe('check', () => {
  it('reports a difference that no rule covers as unhandled', () => {
    expect(severe(spec({}), spec({ 'x-kubernetes-brand-new': true }))).toMatchObject([
      {
        rule: 'unhandled',
        severity: 'unsure',
        path: 'spec.value',
        message: 'x-kubernetes-brand-new changed',
      },
    ]);
    const [old, next] = [spec({}), spec({})];
    (next['spec'] as JsonObject)['brandNew'] = 'x';
    expect(severe(old, next)).toMatchObject([{ rule: 'unhandled', path: 'spec.brandNew' }]);
  });

  it('reports only new differences between two served versions', () => {
    const old = widgets({ v1beta1: { spec: object({ a: { type: 'string' } }) }, v1: { spec: object({}) } });
    const next = widgets({
      v1beta1: { spec: object({ a: { type: 'string' }, b: { type: 'string' } }) },
      v1: { spec: object({}) },
    });
    expect(severe(old, next)).toMatchObject([
      {
        rule: 'field-removed',
        scope: 'served-versions',
        version: 'v1beta1',
        toVersion: 'v1',
        path: 'spec.b',
      },
    ]);
  });

  it('asks for care with differences between served versions that a webhook converts', () => {
    const webhook = { conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'] } } };
    const old = widgets({ v1beta1: { spec: object({ a: { type: 'string' } }) } }, webhook);
    const next = widgets(
      { v1beta1: { spec: object({ a: { type: 'string' } }) }, v1: { spec: object({}) } },
      webhook,
    );
    expect(check(old, next).filter(({ scope }) => scope === 'served-versions')).toMatchObject([
      { rule: 'field-removed', severity: 'caution' },
    ]);
  });

  it('runs changed rules on given objects and counts those that they refuse', () => {
    const next = spec({ 'x-kubernetes-validations': [{ rule: "self != 'odd'" }] });
    const objects = ['even', 'odd', 'odd'].map((value) => ({
      apiVersion: 'foomake.io/v1',
      kind: 'Widget',
      metadata: {},
      spec: { value },
    }));
    expect(check(spec({}), next, { objects })).toMatchObject([
      {
        rule: 'cel-rule-added',
        severity: 'breaking',
        message: "rule added: self != 'odd'; it refuses values that were valid, 2 of 3 existing ones",
      },
    ]);
  });

  it('runs a new rule only on values that the other rules accept', () => {
    const rule = { rule: 'size(self) > 3' };
    const findings = check(
      spec({ 'x-kubernetes-validations': [rule] }),
      spec({ 'x-kubernetes-validations': [rule, { rule: 'size(self) > 1' }] }),
    );
    expect(findings).toMatchObject([{ rule: 'cel-rule-added', severity: 'unsure' }]);
  });

  it('reports a rule that no longer compiles because a field was removed', () => {
    const ruled = (properties: Record<string, object>) =>
      widgets({
        v1: { spec: object(properties, { 'x-kubernetes-validations': [{ rule: 'has(self.a)' }] }) },
      });
    expect(severe(ruled({ a: { type: 'string' } }), ruled({ b: { type: 'integer' } }))).toContainEqual(
      expect.objectContaining({ rule: 'rule-refused', severity: 'breaking', path: 'spec' }),
    );
  });

  it('reads definitions in v1beta1', () => {
    const old: JsonObject = { ...widgets({}), apiVersion: 'apiextensions.k8s.io/v1beta1' };
    Object.assign(old['spec'] as JsonObject, {
      version: 'v1',
      versions: [{ name: 'v1', served: true, storage: true }],
    });
    (old['spec'] as JsonObject)['validation'] = {
      openAPIV3Schema: {
        type: 'object',
        properties: { spec: object({ a: { type: 'string' } }) as JsonObject },
      },
    };
    expect(severe(old, widgets({ v1: { spec: object({}) } }))).toMatchObject([
      { rule: 'field-removed', path: 'spec.a' },
    ]);
  });

  it('handles fields that are named like members of Object.prototype', () => {
    const strange = JSON.parse(
      '{"constructor":{"type":"string"},"__proto__":{"type":"string"},"toString":{"type":"string"}}',
    );
    expect(
      check(
        widgets({ v1: { spec: object({}) } }),
        widgets({ v1: { spec: { type: 'object', properties: strange } } }),
      ).map(({ path }) => path),
    ).toEqual(['spec.constructor', 'spec.__proto__', 'spec.toString']);
  });

  const schema = fc.letrec<{ node: object }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small' },
      fc.record(
        {
          type: fc.constant('string'),
          maxLength: fc.nat(9),
          enum: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }),
          pattern: fc.constantFrom('^a', 'b$'),
        },
        { requiredKeys: ['type'] },
      ),
      fc.record(
        { type: fc.constant('integer'), minimum: fc.nat(9), maximum: fc.nat(9) },
        { requiredKeys: ['type'] },
      ),
      // The API server refuses defaults that are not valid themselves.
      fc.record({ type: fc.constant('integer'), default: fc.nat(9) }, { requiredKeys: ['type'] }),
      fc.record(
        { type: fc.constant('array'), items: tie('node'), maxItems: fc.nat(5) },
        { requiredKeys: ['type', 'items'] },
      ),
      fc.record(
        {
          type: fc.constant('object'),
          properties: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), tie('node'), { maxKeys: 3 }),
          required: fc.subarray(['a', 'b']),
        },
        { requiredKeys: ['type'] },
      ),
    ),
  })).node;

  it('finds nothing between equal definitions', () => {
    fc.assert(
      fc.property(schema, schema, (a, b) => {
        const [old, next] = [a, b].map((spec) => widgets({ v1: { spec } })) as [JsonObject, JsonObject];
        expect(check(old, structuredClone(old))).toEqual([]);
        if (JSON.stringify(a) === JSON.stringify(b)) expect(check(old, next)).toEqual([]);
      }),
    );
  });

  it('leaves no change between two definitions unhandled', () => {
    fc.assert(
      fc.property(schema, schema, (a, b) => {
        const [old, next] = [a, b].map((spec) => widgets({ v1: { spec } })) as [JsonObject, JsonObject];
        expect(check(old, next).filter(({ rule }) => rule === 'unhandled')).toEqual([]);
      }),
    );
  });

  it('reports the malformed parts of a definition', () => {
    const next = spec({ maxLength: 'long', enum: 'a' });
    expect(check(spec({}), next)).toMatchObject([
      { rule: 'malformed', path: 'schema.properties.spec.properties.value.maxLength' },
      { rule: 'malformed', path: 'schema.properties.spec.properties.value.enum' },
    ]);
  });

  it('does not throw for any malformed definition', () => {
    const paths = pathsIn(FULL);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...paths), fc.jsonValue({ maxDepth: 2 })), {
          minLength: 1,
          maxLength: 4,
        }),
        (changes) => {
          const broken = structuredClone(FULL);
          for (const [path, value] of changes) put(broken, path, value as never);
          check(FULL, broken);
          check(broken, FULL);
          lint(broken, { profile: 'strict' });
        },
      ),
      { numRuns: 400 },
    );
  });
});

/** A definition that uses every part that rules read. */
const FULL: JsonObject = widgets(
  {
    v1: {
      spec: object(
        {
          a: { type: 'string', pattern: '^a', enum: ['a'], maxLength: 3, nullable: true, default: 'a' },
          b: {
            type: 'array',
            items: { type: 'integer', minimum: 1 },
            'x-kubernetes-list-type': 'set',
            maxItems: 3,
          },
          c: { type: 'object', additionalProperties: { type: 'string' }, 'x-kubernetes-map-type': 'atomic' },
        },
        {
          required: ['a'],
          oneOf: [{ required: ['b'] }],
          'x-kubernetes-validations': [{ rule: "self.a != ''", message: 'a' }],
        },
      ),
      more: {
        subresources: { status: {}, scale: { specReplicasPath: '.spec.a', statusReplicasPath: '.spec.a' } },
        additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.spec.a' }],
      },
    },
  },
  { conversion: { strategy: 'None' } },
);

type ValuePath = readonly (string | number)[];

function pathsIn(value: JsonValue, at: ValuePath = []): ValuePath[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [
    ...(at.length > 1 ? [at] : []),
    ...Object.entries(value).flatMap(([key, member]) => pathsIn(member, [...at, key])),
  ];
}

function put(root: JsonObject, path: ValuePath, value: JsonValue): void {
  const holder = path
    .slice(0, -1)
    .reduce<JsonValue | undefined>(
      (at, key) => (typeof at === 'object' && at !== null ? (at as JsonObject)[key] : undefined),
      root,
    );
  if (typeof holder === 'object' && holder !== null) (holder as JsonObject)[path.at(-1)!] = value;
}
