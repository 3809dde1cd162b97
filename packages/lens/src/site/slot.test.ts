import type { JsonObject } from '@instar/machinery';
import { describe, expect, it } from 'vitest';
import { lensOf, thing } from '../testing/lens-of.ts';

describe('names that every object inherits', () => {
  it('are fields like others', () => {
    const lens = lensOf(
      { rename: { from: 'spec.constructor', to: 'spec.toString' } },
      { move: { from: 'spec.valueOf.x', to: 'spec.hasOwnProperty.y' } },
    );
    const object = thing('v1', { constructor: 1, valueOf: { x: 2 } } as unknown as JsonObject);
    const there = lens.convert(object, 'v2');
    expect(Object.entries(there['spec'] as JsonObject)).toEqual([
      ['toString', 1],
      ['hasOwnProperty', { y: 2 }],
    ]);
    expect(lens.convert(there, 'v1')).toEqual(object);
    expect(lens.convert(thing('v1', { a: 1 }), 'v2')).toEqual(thing('v2', { a: 1 }));
  });

  it('do not change prototypes if users have them in their objects', () => {
    const spec = JSON.parse('{"a":{"__proto__":{"x":1},"c":2},"b":1}') as JsonObject;
    const lens = lensOf({ rename: { from: 'spec.a.c', to: 'spec.a.d' } }, { remove: { path: 'spec.b' } });
    const back = lens.convert(lens.convert(thing('v1', spec), 'v2'), 'v1');
    expect(JSON.stringify((back['spec'] as JsonObject)['a'])).toBe('{"__proto__":{"x":1},"c":2}');
  });
});
