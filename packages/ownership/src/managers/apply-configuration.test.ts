import { compileSchema } from '@instar/schema';
import { describe, expect, it } from 'vitest';
import { mergeTypeOf } from '../typed/merge-type-of.ts';
import { mergeConfiguration } from './apply-configuration.ts';

const text = { type: 'string' } as const;
const port = { type: 'object', properties: { name: text, port: { type: 'integer' } } } as const;
const type = mergeTypeOf(
  compileSchema({
    type: 'object',
    properties: {
      labels: { type: 'object', additionalProperties: text },
      args: { type: 'array', items: text },
      ports: {
        type: 'array',
        items: port,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
      },
      whole: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: text } },
    },
  }).root,
);

describe('mergeConfiguration', () => {
  it('sets fields and items by key, and removes nothing', () => {
    const live = { labels: { a: '1', b: '2' }, ports: [{ name: 'x', port: 1 }], args: ['v'] };
    expect(
      mergeConfiguration(live, { labels: { b: '3' }, ports: [{ name: 'y' }, { name: 'x', port: 2 }] }, type),
    ).toEqual({ labels: { a: '1', b: '3' }, ports: [{ name: 'y' }, { name: 'x', port: 2 }], args: ['v'] });
  });

  it.each<[object, string]>([
    [{ args: ['a'] }, 'invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .args'],
    [
      { whole: {}, args: [] },
      'invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .whole, .args',
    ],
    [{ none: 1 }, 'failed to convert patch object to typed object: .none: field not declared in schema'],
  ])('refuses %j', (configuration, why) => {
    expect(() => mergeConfiguration({}, configuration as never, type)).toThrow(why);
  });

  it('refuses an object that does not match its schema, unless items are repeated', () => {
    expect(() => mergeConfiguration({ args: 1 }, {}, type)).toThrow(
      'failed to convert original object to typed object: .args: expected list',
    );
    const live = { ports: [{ name: 'x' }, { name: 'x' }] };
    expect(mergeConfiguration(live, {}, type)).toEqual(live);
  });
});
