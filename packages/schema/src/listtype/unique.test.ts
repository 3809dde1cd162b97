import { fieldErrorMessage, type JsonObject } from '@instar/machinery';
import { describe, expect, it } from 'vitest';
import { compileSchema } from '../compile.ts';
import type { JSONSchemaProps } from '../json-schema-props.ts';

const set = (items: JSONSchemaProps): JSONSchemaProps => ({
  type: 'array',
  items,
  'x-kubernetes-list-type': 'set',
});
const ANY: JSONSchemaProps = { 'x-kubernetes-preserve-unknown-fields': true };
const keyed = (...keys: string[]): JSONSchemaProps => ({
  type: 'array',
  items: { type: 'object', ...ANY },
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
});
const schema = compileSchema({
  type: 'object',
  properties: {
    set: set(ANY),
    named: keyed('name'),
    ports: keyed('port', 'protocol'),
    table: { type: 'object', additionalProperties: set(ANY) },
  },
});

const messages = (object: JsonObject, old?: JsonObject): string[] =>
  schema.validate(object, old === undefined ? {} : { old }).map(fieldErrorMessage);

describe('sets', () => {
  it('report only the second of equal items', () => {
    expect(messages({ set: ['a', 'b', 'a', 'a'] })).toEqual(['set[2]: Duplicate value: "a"']);
    expect(
      messages({
        set: [
          { b: 1, a: 2 },
          { a: 2, b: 1 },
        ],
      }),
    ).toEqual(['set[1]: Duplicate value: {"a":2,"b":1}']);
    expect(messages({ table: { k: [1, 1] } })).toEqual(['table[k][1]: Duplicate value: 1']);
  });

  it('distinguish strings from numbers and lists that print the same', () => {
    expect(messages({ set: [1, '1', true, 'true', null, 'null', [1], '[1]'] })).toEqual([]);
  });
});

describe('maps', () => {
  it('report equal keys without the rest of the item', () => {
    expect(
      messages({
        named: [
          { name: 'a', x: 1 },
          { name: 'a', x: 2 },
        ],
      }),
    ).toEqual(['named[1]: Duplicate value: {"name":"a"}']);
    expect(messages({ named: [{}, { x: 1 }] })).toEqual(['named[1]: Duplicate value: {}']);
    expect(
      messages({
        ports: [
          { port: 1, protocol: 'T' },
          { protocol: 'T', port: 1 },
        ],
      }),
    ).toEqual(['ports[1]: Duplicate value: {"port":1,"protocol":"T"}']);
    expect(messages({ ports: [{ port: 1, protocol: 'T' }, { port: 1 }] })).toEqual([]);
  });
});

it('ignores duplicates if the old object had any', () => {
  expect(messages({ set: ['z', 'z'] }, { set: ['a', 'a'] })).toEqual([]);
  expect(messages({ set: ['z', 'z'] }, { set: ['a'] })).toEqual(['set[1]: Duplicate value: "z"']);
});
