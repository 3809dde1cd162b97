import { bool, field, listOf, pointer, type StructType, string, struct } from '@instar/kinds';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../wire/protobuf/message.ts';
import { builtinDefinitions } from '../index.ts';
import { messageOf } from './protobuf-of.ts';

/** Every field of a message and of those in it, by path; embedded messages have no names. */
function pathsOf(message: Message, path = '', seen: readonly Message[] = []): string[] {
  if (seen.includes(message)) return [];
  return [...message.fields.values()].flatMap(({ name, type }) => {
    const at = name === '' ? path : `${path}.${name}`;
    const inside = typeof type === 'object' ? pathsOf(type, at, [...seen, message]) : [];
    return name === '' ? inside : [at, ...inside];
  });
}

describe('the message of a Go type', () => {
  it('has the fields by number, without those of number 0', () => {
    const type = struct('v1.A', '', {
      kind: field(0, string, ''),
      on: pointer(3, bool, ''),
      names: field(1, listOf(string), ''),
    });
    expect([...messageOf(type).fields]).toEqual([
      [3, { name: 'on', type: 'bool', form: 'one', nullable: true }],
      [1, { name: 'names', type: 'string', form: 'list', nullable: false }],
    ]);
  });

  it('has embedded structs as messages whose fields belong to the enclosing one', () => {
    const type = struct('v1.A', '', {
      own: field(1, string, ''),
      a: field([2, 1], string, ''),
      b: field([2, 2, 7], string, ''),
    });
    const inner = messageOf(type).fields.get(2)!;
    expect(inner.name).toBe('');
    expect([...(inner.type as Message).fields.keys()]).toEqual([1, 2]);
    expect(pathsOf(messageOf(type))).toEqual(['.own', '.a', '.b']);
  });

  it('is memoized', () => {
    const type = struct('v1.A', '', {});
    expect(messageOf(type)).toBe(messageOf(type));
  });
});

const structsIn = (type: StructType, seen = new Set<StructType>()): Set<StructType> => {
  if (seen.has(type)) return seen;
  seen.add(type);
  for (const { type: inner } of type.fields.values()) {
    const one = inner.kind === 'list' ? inner.items : inner.kind === 'map' ? inner.values : inner;
    const resolved = one.kind === 'lazy' ? one.type() : one;
    if (resolved.kind === 'struct') structsIn(resolved, seen);
  }
  return seen;
};

describe('the fields of built-in kinds', () => {
  const versions = builtinDefinitions.flatMap(({ names, versions }) =>
    versions.map(({ apiVersion, goType }) => [`${apiVersion} ${names.kind}`, goType!] as const),
  );

  it.each(versions)('have unique numbers in %s', (_, goType) => {
    for (const { name, fields } of structsIn(goType)) {
      const numbers = [...fields.values()]
        .map(({ number }) => String(number))
        .filter((number) => number !== '0');
      expect([name, new Set(numbers).size]).toEqual([name, numbers.length]);
      const unnumbered = [...fields].filter(([, { number }]) => number === 0).map(([field]) => field);
      expect([name, unnumbered.filter((field) => !['apiVersion', 'kind'].includes(field))]).toEqual([
        name,
        [],
      ]);
    }
  });
});
