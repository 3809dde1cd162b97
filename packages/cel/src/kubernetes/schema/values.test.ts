import { describe, expect, it } from 'vitest';
import {
  CelError,
  type CelList,
  type CelMap,
  Double,
  Duration,
  equalValues,
  type HostObject,
  Timestamp,
  type Value,
} from '../../values.ts';
import { declareType } from './declared-type.ts';
import type { SchemaNode } from './schema-node.ts';
import { typedSchema } from './typed-schema.ts';

const value = (schema: SchemaNode, raw: unknown): Value =>
  typedSchema(declareType(schema)!, 'self').read(raw);
const equal = (schema: SchemaNode, a: unknown, b: unknown): boolean => {
  const { read } = typedSchema(declareType(schema)!, 'self');
  return equalValues(read(a), read(b));
};
const object = (properties: Record<string, SchemaNode>, more: SchemaNode = {}): SchemaNode => ({
  type: 'object',
  properties,
  ...more,
});
const integer: SchemaNode = { type: 'integer' };
const string: SchemaNode = { type: 'string' };

describe('scalars', () => {
  it('reads each by its type and format', () => {
    expect(value(integer, 5)).toBe(5);
    expect(value(integer, 9223372036854775807n)).toBe(9223372036854775807n);
    expect(value({ type: 'number' }, 5)).toEqual(new Double(5));
    expect(value({ 'x-kubernetes-int-or-string': true }, '5%')).toBe('5%');
    expect(value({ 'x-kubernetes-int-or-string': true }, 5)).toBe(5);
    expect(value({ type: 'string', format: 'byte' }, 'aGk=')).toEqual(Uint8Array.from([104, 105]));
    expect(value({ type: 'string', format: 'duration' }, '1m30s')).toEqual(new Duration(90_000_000_000n));
    expect(value({ type: 'string', format: 'duration' }, '2 days')).toEqual(
      new Duration(172_800_000_000_000n),
    );
    expect(value({ type: 'string', format: 'date' }, '1970-01-02')).toEqual(
      new Timestamp(86_400_000_000_000n),
    );
    expect(value({ type: 'string', format: 'date-time' }, '1970-01-01T01:00:00+01:00')).toEqual(
      new Timestamp(0n, 3600),
    );
    expect(value({ type: 'string', format: 'email' }, 'a@b')).toBe('a@b');
  });

  it('returns errors for values of another type', () => {
    expect(value(integer, 1.5)).toEqual(new CelError('invalid data, expected int, got float64'));
    expect(value(integer, null)).toEqual(
      new CelError('invalid data, got null for schema with nullable=false'),
    );
    expect(value({ type: 'integer', nullable: true }, null)).toBe(null);
    expect(value({ type: 'string', format: 'date-time' }, '1970-01-01t00:00:00z')).toBeInstanceOf(CelError);
  });
});

describe('objects', () => {
  const schema = object({ 'a-b': integer, maybe: { type: 'integer', nullable: true }, namespace: string });

  it('finds properties by their escaped names', () => {
    const read = value(schema, { 'a-b': 1, namespace: 'x', maybe: null }) as HostObject;
    expect(read.get('a__dash__b')).toBe(1);
    expect(read.get('__namespace__')).toBe('x');
    expect(read.get('namespace')).toBe('x');
    expect(read.has('maybe')).toBe(false);
    expect(read.get('maybe')).toEqual(new CelError('no such key: maybe'));
  });

  it('does not treat inherited properties as data', () => {
    const odd = value(object({ constructor: string }), {}) as HostObject;
    expect(odd.has('constructor')).toBe(false);
    const map = value(
      { type: 'object', additionalProperties: string },
      JSON.parse('{"__proto__":"x"}'),
    ) as CelMap;
    expect(map.get('__proto__')).toBe('x');
    expect(map.get('toString')).toBe(undefined);
  });

  it('compares properties that expressions cannot access too', () => {
    const open = object(
      { a: integer, any: { 'x-kubernetes-preserve-unknown-fields': true } },
      { 'x-kubernetes-preserve-unknown-fields': true },
    );
    expect(equal(open, { a: 1, any: { x: [1] } }, { any: { x: [1] }, a: 1 })).toBe(true);
    expect(equal(open, { a: 1, any: { x: [1] } }, { a: 1, any: { x: [2] } })).toBe(false);
    expect(equal(open, { a: 1, other: { x: 1 } }, { a: 1, other: { x: 2 } })).toBe(false);
    expect(equal(open, { a: 1 }, { a: 1, other: 1 })).toBe(false);
    expect(equal(open, { a: 1 }, { a: 2 })).toBe(false);
  });

  it('has the metadata of embedded resources', () => {
    const embedded = object({}, { 'x-kubernetes-embedded-resource': true });
    const read = typedSchema(declareType(embedded, true)!, 'self').read({
      kind: 'Pod',
      metadata: { name: 'p', labels: {} },
    }) as HostObject;
    expect(read.get('kind')).toBe('Pod');
    expect((read.get('metadata') as HostObject).get('name')).toBe('p');
    expect((read.get('metadata') as HostObject).get('labels')).toEqual(
      new CelError("no such field 'labels'"),
    );
  });
});

describe('lists', () => {
  const set: SchemaNode = { type: 'array', items: string, 'x-kubernetes-list-type': 'set' };
  const keyed: SchemaNode = {
    type: 'array',
    items: object({ name: string, n: integer }),
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
  };
  const names = (list: Value) => [...(list as CelList)].map((item) => (item as HostObject).get('name'));

  it('are equal only in order, if they are atomic', () => {
    const atomic: SchemaNode = { type: 'array', items: string };
    expect(equal(atomic, ['a', 'b'], ['a', 'b'])).toBe(true);
    expect(equal(atomic, ['a', 'b'], ['b', 'a'])).toBe(false);
  });

  it('are equal in any order, if they are sets', () => {
    expect(equal(set, ['a', 'b'], ['b', 'a'])).toBe(true);
    expect(equal(set, ['a', 'b'], ['b', 'c'])).toBe(false);
    expect(equal(set, ['a', 'a'], ['a', 'b'])).toBe(false);
  });

  it('are equal by key, if they are keyed', () => {
    expect(equal(keyed, [{ name: 'a', n: 1 }, { name: 'b' }], [{ name: 'b' }, { name: 'a', n: 1 }])).toBe(
      true,
    );
    expect(equal(keyed, [{ name: 'a', n: 1 }], [{ name: 'a', n: 2 }])).toBe(false);
    expect(equal(keyed, [{ name: 'a' }], [{ name: 'b' }])).toBe(false);
  });

  it('merge when they are added', () => {
    const sum = (schema: SchemaNode, a: unknown, b: unknown) =>
      (value(schema, a) as CelList).concat(value(schema, b) as CelList);
    expect([...sum(set, ['a', 'b'], ['c', 'a', 'c'])]).toEqual(['a', 'b', 'c']);
    expect(
      names(sum(keyed, [{ name: 'a', n: 1 }, { name: 'b' }], [{ name: 'c' }, { name: 'a', n: 2 }])),
    ).toEqual(['a', 'b', 'c']);
    const merged = sum(keyed, [{ name: 'a', n: 1 }], [{ name: 'a', n: 2 }]);
    expect((merged.at(0) as HostObject).get('n')).toBe(2);
    expect(merged.equals(value(keyed, [{ name: 'a', n: 2 }]))).toBe(true);
  });

  it('read null elements where the items may be null', () => {
    const list = value({ type: 'array', items: { type: 'integer', nullable: true } }, [1, null]) as CelList;
    expect([...list]).toEqual([1, null]);
  });
});
