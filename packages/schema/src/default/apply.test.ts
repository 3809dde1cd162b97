import type { JsonObject } from '@instar/machinery';
import { describe, expect, it } from 'vitest';
import { compileSchema } from '../compile.ts';
import type { JSONSchemaProps } from '../json-schema-props.ts';

const schema = compileSchema({
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        text: { type: 'string', default: 't' },
        maybe: { type: 'string', nullable: true, default: 'm' },
        filled: {
          type: 'object',
          default: { b: 'b' },
          properties: { a: { type: 'integer', default: 2 }, b: { type: 'string' } },
        },
        inner: { type: 'object', properties: { a: { type: 'integer', default: 1 } } },
        words: { type: 'array', items: { type: 'string', default: 'w' } },
        rows: {
          type: 'array',
          items: { type: 'object', properties: { size: { type: 'integer', default: 5 } } },
        },
        table: { type: 'object', additionalProperties: { type: 'string', default: 'v' } },
        stale: {
          type: 'object',
          default: { known: 1, unknown: 2 },
          properties: { known: { type: 'integer' } },
        },
      },
    },
  },
});

describe('applyDefaults', () => {
  it('fills missing fields, but not inside missing objects', () => {
    const object = { spec: {} };
    expect(schema.applyDefaults(object)).toBe(true);
    expect(object).toEqual({
      spec: { text: 't', maybe: 'm', filled: { a: 2, b: 'b' }, stale: { known: 1 } },
    });
    expect(schema.applyDefaults({})).toBe(false);
  });

  it('replaces nulls where null is not allowed', () => {
    const spec = {
      text: null,
      maybe: null,
      filled: { b: 'z' },
      words: ['a', null],
      rows: [{}, { size: 1 }],
      table: { a: null },
      stale: {},
    };
    expect(schema.applyDefaults({ spec })).toBe(true);
    expect(spec).toEqual({
      text: 't',
      maybe: null,
      filled: { a: 2, b: 'z' },
      words: ['a', 'w'],
      rows: [{ size: 5 }, { size: 1 }],
      table: { a: 'v' },
      stale: {},
    });
  });

  it('reports no change when nothing is missing', () => {
    const object = { spec: {} };
    schema.applyDefaults(object);
    expect(schema.applyDefaults(object)).toBe(false);
  });

  it('copies the default', () => {
    const [one, two] = [{ spec: {} as Record<string, never> }, { spec: {} as Record<string, never> }];
    schema.applyDefaults(one);
    schema.applyDefaults(two);
    expect(one.spec['filled']).not.toBe(two.spec['filled']);
  });
});

describe('applyDefaults in embedded resources', () => {
  const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true };
  const foo = { apiVersion: 'foos/v1', kind: 'Foo' };
  const defaulted = (name: string, props: JSONSchemaProps, value: JsonObject = {}) => {
    compileSchema({ type: 'object', properties: { [name]: props } }).applyDefaults(value);
    return value;
  };

  it.each([
    ['', {}],
    [' that preserves unknown fields', { 'x-kubernetes-preserve-unknown-fields': true }],
  ])('prunes unknown metadata of the default of a resource%s', (_, more) => {
    const value = { ...foo, metadata: { name: 'Bar', unknown: 'unknown' } };
    expect(defaulted('full', { ...embedded, ...more, default: value })).toEqual({
      full: { ...foo, metadata: { name: 'Bar' } },
    });
  });

  it('prunes unknown metadata of the default of an object around the resource', () => {
    const value = { embedded: { ...foo, metadata: { name: 'Bar', unknown: 'unknown' } } };
    expect(defaulted('spanning', { type: 'object', properties: { embedded }, default: value })).toEqual({
      spanning: { embedded: { ...foo, metadata: { name: 'Bar' } } },
    });
  });

  it('uses the default of metadata, without the fields that metadata does not have', () => {
    const metadata = { type: 'object', default: { name: 'Bar', unknown: 'unknown' } };
    expect(defaulted('meta', { ...embedded, properties: { metadata } }, { meta: {} })).toEqual({
      meta: { metadata: { name: 'Bar' } },
    });
  });

  it('uses the defaults of fields of metadata, but not of those that metadata does not have', () => {
    const text = { type: 'string', default: 'x' };
    const labels = { type: 'object', default: { a: 'b' } };
    const metadata = { type: 'object', properties: { name: text, unknown: text, labels } };
    expect(defaulted('meta', { ...embedded, properties: { metadata } }, { meta: { metadata: {} } })).toEqual({
      meta: { metadata: { name: 'x', labels: { a: 'b' } } },
    });
  });
});
