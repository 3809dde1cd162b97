import { describe, expect, it } from 'vitest';
import { type DeclaredType, declareType } from './declared-type.ts';
import type { SchemaNode } from './schema-node.ts';

const string: SchemaNode = { type: 'string' };
const declared = (schema: SchemaNode, root = false): DeclaredType => declareType(schema, root)!;
const bounds = (schema: SchemaNode) => [declared(schema).maxElements, declared(schema).minSerializedSize];
const request = 3 * 1024 * 1024;

describe('declareType', () => {
  it('bounds strings by maxLength in bytes, by enum, by format or by the request', () => {
    expect(bounds({ type: 'string', maxLength: 10 })).toEqual([40, 2]);
    expect(bounds({ type: 'string', enum: ['a', 'été'] })).toEqual([5, 2]);
    expect(bounds(string)).toEqual([request - 2, 2]);
    expect(bounds({ type: 'string', format: 'byte', maxLength: 10 })).toEqual([10, 2]);
    expect(bounds({ type: 'string', format: 'duration', maxLength: 10 })).toEqual([32, 3]);
    expect(bounds({ type: 'string', format: 'date' })).toEqual([12, 12]);
    expect(bounds({ type: 'string', format: 'date-time' })).toEqual([32, 21]);
    expect(bounds({ 'x-kubernetes-int-or-string': true, maxLength: 5 })).toEqual([20, 1]);
    expect(bounds({ 'x-kubernetes-int-or-string': true })).toEqual([request - 2, 1]);
  });

  it('bounds lists and maps by how many of their shortest elements fit a request', () => {
    expect(bounds({ type: 'array', items: string })).toEqual([Math.floor((request - 2) / 3), 2]);
    expect(bounds({ type: 'array', items: string, maxItems: 7 })).toEqual([7, 2]);
    expect(bounds({ type: 'object', additionalProperties: { type: 'boolean' } })).toEqual([
      Math.floor((request - 2) / 10),
      2,
    ]);
    expect(bounds({ type: 'object', additionalProperties: string, maxProperties: -1 })).toEqual([0, 2]);
  });

  it('counts the required properties without default into the shortest JSON', () => {
    const schema: SchemaNode = {
      type: 'object',
      required: ['a', 'bb', 'c'],
      properties: { a: string, bb: { type: 'integer' }, c: { type: 'integer', default: 1 }, d: string },
    };
    expect(bounds(schema)).toEqual([0, 2 + (1 + 2 + 4) + (2 + 1 + 4)]);
  });

  it('omits what expressions cannot access', () => {
    const open: SchemaNode = { 'x-kubernetes-preserve-unknown-fields': true };
    const schema: SchemaNode = {
      type: 'object',
      properties: { a: string, open, rows: { type: 'array', items: open }, 'x y': string, 'd-e': string },
    };
    expect([...declared(schema).fields.keys()]).toEqual(['a', 'd__dash__e']);
    expect(declareType(open)).toBe(undefined);
    expect(declareType({ type: 'array' })).toBe(undefined);
  });

  it('gives the root of a resource its type with names as its only metadata', () => {
    const root = declared(
      {
        type: 'object',
        properties: { metadata: { type: 'object', properties: { labels: string } }, spec: string },
      },
      true,
    );
    expect([...root.fields.keys()]).toEqual(['metadata', 'spec', 'kind', 'apiVersion']);
    const metadata = root.fields.get('metadata')!.type;
    expect([...metadata.fields].map(([name, field]) => [name, field.type.maxElements])).toEqual([
      ['name', request - 2],
      ['generateName', request - 2],
    ]);
  });

  it('does the same for embedded resources, wherever they are', () => {
    const embedded: SchemaNode = { type: 'object', 'x-kubernetes-embedded-resource': true };
    for (const schema of [
      { type: 'array', items: embedded },
      { type: 'object', additionalProperties: embedded },
    ]) {
      expect(declared(schema).element!.fields.has('apiVersion')).toBe(true);
    }
  });

  it('does not change a schema that declares its type and names itself', () => {
    const name: SchemaNode = { type: 'string', maxLength: 20 };
    const metadata: SchemaNode = { type: 'object', properties: { name, generateName: name } };
    const root = declared(
      { type: 'object', properties: { metadata, kind: string, apiVersion: string } },
      true,
    );
    expect(root.fields.get('metadata')!.type.fields.get('name')!.type.maxElements).toBe(80);
  });
});
