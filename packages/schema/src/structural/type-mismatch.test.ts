import { expect, it } from 'vitest';
import { compileSchema } from '../compile.ts';

const schema = compileSchema({
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        count: { type: 'integer' },
        port: { 'x-kubernetes-int-or-string': true },
        rows: { type: 'array', items: { type: 'object', additionalProperties: { type: 'string' } } },
      },
    },
  },
});

it('finds the first value of a wrong type', () => {
  expect(schema.firstTypeMismatch({ spec: { rows: [{ a: 'x' }, { b: 1 }], count: 'x' } })).toEqual({
    path: 'spec.rows[1].b',
    expected: 'string',
    actual: 'integer',
  });
  expect(schema.firstTypeMismatch({ spec: [] })).toEqual({
    path: 'spec',
    expected: 'object',
    actual: 'array',
  });
  expect(schema.firstTypeMismatch({ spec: { port: true } })).toMatchObject({
    path: 'spec.port',
    expected: 'int-or-string',
  });
});

it('accepts null and unknown fields', () => {
  expect(schema.firstTypeMismatch({ spec: { count: null, other: {}, port: 'http' } })).toBeUndefined();
});
