import { describe, expect, it } from 'vitest';
import { compileSchema } from '../compile.ts';
import type { JSONSchemaProps } from '../json-schema-props.ts';
import { smallestExample } from './smallest.ts';

describe('the smallest example', () => {
  it('has only required members', () => {
    const schema: JSONSchemaProps = {
      type: 'object',
      required: ['spec'],
      properties: {
        spec: {
          type: 'object',
          required: ['size', 'mode', 'names', 'when', 'port', 'any'],
          properties: {
            size: { type: 'integer', minimum: 3, exclusiveMinimum: true },
            mode: { type: 'string', enum: ['On', 'Off'] },
            names: { type: 'array', minItems: 2, items: { type: 'string', minLength: 1 } },
            when: { type: 'string', format: 'date-time' },
            port: { 'x-kubernetes-int-or-string': true },
            any: { type: 'string', default: 'd' },
            other: { type: 'string' },
          },
        },
      },
    };
    const example = smallestExample(schema);
    expect(example).toEqual({
      spec: { size: 4, mode: 'On', names: ['x', 'x'], when: '2000-01-01T00:00:00Z', port: 0, any: 'd' },
    });
    expect(compileSchema(schema).validate(example as never)).toEqual([]);
  });

  it('is bounded whatever the schema requires', () => {
    let schema: JSONSchemaProps = { type: 'string', minLength: 1 };
    for (let depth = 0; depth < 12; depth++) schema = { type: 'array', minItems: 16, items: schema };
    expect(JSON.stringify(smallestExample(schema)).length).toBeLessThan(2_000_000);
  });

  it('copies integers that are too large for a number', () => {
    expect(smallestExample({ type: 'integer', default: 9007199254740993n })).toBe(9007199254740993n);
  });
});
