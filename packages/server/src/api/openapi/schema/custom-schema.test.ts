import type { JsonObject } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import { describe, expect, it } from 'vitest';
import { type Dialect, V2, V3 } from '../dialect.ts';
import { customSchema } from './custom-schema.ts';

/** The published schema of .spec.it. */
function published(dialect: Dialect, it: JSONSchemaProps, required: string[] = []): JsonObject {
  const spec: JSONSchemaProps = { type: 'object', properties: { it }, required };
  const schema = customSchema({ type: 'object', properties: { spec } }, dialect) as {
    properties: { spec: JsonObject };
  };
  return schema.properties.spec;
}

const inV3 = (it: JSONSchemaProps) => (published(V3, it)['properties'] as JsonObject)['it'];
const inV2 = (it: JSONSchemaProps) => (published(V2, it)['properties'] as JsonObject)['it'];

const PARTS: JSONSchemaProps = { type: 'array', items: { type: 'string' } };
const EITHER = [{ type: 'integer' }, { type: 'string' }];

describe('version 3', () => {
  it('keeps the schema of the definition', () => {
    const schema: JSONSchemaProps = {
      type: 'object',
      nullable: true,
      default: {},
      properties: { a: { type: 'string', default: '', enum: ['', 'x'] }, b: { type: 'integer', minimum: 0 } },
      anyOf: [{ required: ['a'] }],
      'x-kubernetes-validations': [{ rule: 'true' }],
      'x-kubernetes-map-type': 'atomic',
    };
    expect(inV3(schema)).toBe(schema);
  });

  it('leaves out empty values', () => {
    expect(inV3({ type: 'string', nullable: false, description: '', enum: [], allOf: [] })).toEqual({
      type: 'string',
    });
    expect(inV3({ type: 'object', properties: {} })).toEqual({ type: 'object' });
    expect(inV3({ type: 'object', additionalProperties: false })).toEqual({
      type: 'object',
      additionalProperties: false,
    });
  });

  it('adds the types of an int-or-string, unless the author has', () => {
    const intOrString: JSONSchemaProps = { 'x-kubernetes-int-or-string': true };
    expect(inV3(intOrString)).toEqual({ ...intOrString, anyOf: EITHER });
    const told = { ...intOrString, anyOf: EITHER };
    expect(inV3(told)).toBe(told);
    const toldBelow = { ...intOrString, allOf: [{ anyOf: EITHER }, { pattern: 'x' }] };
    expect(inV3(toldBelow)).toBe(toldBelow);
    const otherwise = { ...intOrString, anyOf: [{ pattern: 'x' }] };
    expect(inV3(otherwise)).toEqual({ ...otherwise, allOf: [{ anyOf: EITHER }] });
  });

  it('adds the properties of an embedded resource to its own', () => {
    const embedded = inV3({
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      required: ['spec'],
      properties: { spec: PARTS },
    });
    expect(embedded).toMatchObject({
      required: ['spec', 'kind', 'apiVersion'],
      properties: { spec: PARTS, metadata: { allOf: [{}] } },
    });
  });

  it('handles fields with names that JavaScript objects inherit', () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string","title":""}}}',
    ) as JSONSchemaProps;
    expect(JSON.stringify(inV3(schema))).toBe(
      '{"type":"object","properties":{"__proto__":{"type":"string"}}}',
    );
  });

  it('replaces metadata by a reference, whatever its schema', () => {
    const schema = customSchema({ type: 'object', properties: { metadata: { type: 'object' } } }, V3) as {
      properties: JsonObject;
    };
    expect(schema.properties['metadata']).toMatchObject({
      allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }],
    });
  });
});

describe('version 2', () => {
  it('has neither alternatives nor defaults', () => {
    expect(
      inV2({ type: 'string', default: 'x', anyOf: [{ pattern: 'x' }], oneOf: [{}], allOf: [{}], not: {} }),
    ).toEqual({
      type: 'string',
    });
    expect(inV2({ 'x-kubernetes-int-or-string': true })).toEqual({ 'x-kubernetes-int-or-string': true });
  });

  it('omits nullable schemas', () => {
    expect(inV2({ type: 'object', nullable: true, properties: { a: PARTS } })).toEqual({});
    expect(inV2({ ...PARTS, nullable: true })).toEqual({});
  });

  it('does not require nullable properties', () => {
    expect(published(V2, { type: 'string', nullable: true }, ['it', 'other'])['required']).toEqual(['other']);
    expect(published(V2, { type: 'string', nullable: true }, ['it'])).not.toHaveProperty('required');
    expect(published(V2, { type: 'string' }, ['it'])['required']).toEqual(['it']);
  });

  it('omits the properties of an object that preserves unknown fields', () => {
    const open = { 'x-kubernetes-preserve-unknown-fields': true };
    expect(inV2({ type: 'object', ...open, properties: { a: PARTS } })).toEqual(open);
    expect(inV2({ ...PARTS, ...open })).toEqual(open);
    expect(inV2({ type: 'object', ...open, 'x-kubernetes-embedded-resource': true })).not.toHaveProperty(
      'properties',
    );
    expect(customSchema({ type: 'object', ...open, properties: { spec: PARTS } }, V2)).toEqual({
      type: 'object',
    });
  });
});
