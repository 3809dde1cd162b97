// What operations do with values that they cannot read, and the limits of expressions.
import type { JsonObject } from '@instar/machinery';
import { describe, expect, it } from 'vitest';
import type { LensOp } from '../document.ts';
import { LensError } from '../lens-error.ts';
import { lensOf, thing } from '../testing/lens-of.ts';

const forward = (op: LensOp, spec: JsonObject): unknown =>
  lensOf(op).convert(thing('v1', spec), 'v2')['spec'];

describe('values that cannot be read', () => {
  it.each<[LensOp, JsonObject, string]>([
    [
      { cast: { path: 'spec.port', from: 'string', to: 'integer' } },
      { port: 'http' },
      'spec.port: "http" cannot be read as integer',
    ],
    [
      { cast: { path: 'spec.port', from: 'string', to: 'integer' } },
      { port: '9223372036854775808' },
      'spec.port: "9223372036854775808" cannot be read as integer',
    ],
    [
      { map: { path: 'spec.e', values: [{ from: 'a', to: 'b' }] } },
      { e: 'z' },
      'spec.e: "z" is not one of the values that the lens maps: "a"',
    ],
    [
      { split: { from: 'spec.s', separator: ':', to: ['spec.a', 'spec.b'], missing: 'error' } },
      { s: 'x' },
      'spec.s: "x" must have 2 parts with ":" between them',
    ],
    [
      { split: { from: 'spec.s', separator: ':', to: ['spec.a', 'spec.b'] } },
      { s: 1 },
      'spec.s: is not a string; cast it from integer to string first',
    ],
    [{ head: { from: 'spec.l', to: 'spec.o' } }, { l: {} }, 'spec.l: is no list'],
    [{ unbox: { from: 'spec.o', field: 'x' } }, { o: 'x' }, 'spec.o: is no object'],
    [{ keyBy: { from: 'spec.l', key: 'name' } }, { l: [{ x: 1 }] }, 'spec.l: has an item without a name'],
    [
      { keyBy: { from: 'spec.l', key: 'name' } },
      { l: [{ name: 'a' }, { name: 'a' }] },
      'spec.l: has two items whose name is "a"',
    ],
    [
      { move: { from: 'spec.a', to: 'spec.b.c' } },
      { a: 1, b: 'text' },
      'spec.b.c: cannot be written, since spec.b is not an object',
    ],
    [
      { cel: { from: 'spec.a', forward: 'self / 0', backward: 'self' } },
      { a: 1 },
      'spec.a: division by zero [self / 0]',
    ],
    [
      { cel: { from: 'spec.a', forward: 'duration(self)', backward: 'string(self)' } },
      { a: '1s' },
      'spec.a: the result is not JSON; write string(…) around times and durations [duration(self)]',
    ],
  ])('are refused with the field and the reason: %j', (op, spec, message) => {
    const [path, ...reason] = message.split(': ');
    expect(() => forward(op, spec)).toThrow(new LensError('value', reason.join(': '), path));
  });
});

describe('expressions', () => {
  it('give JSON of every kind', () => {
    const op: LensOp = {
      cel: {
        from: 'spec.a',
        forward: "{'n': 1, 'd': 1.5, 'l': [self, null], 'm': {'t': true}}",
        backward: 'self.l[0]',
      },
    };
    expect(forward(op, { a: 'x' })).toEqual({ a: { n: 1, d: 1.5, l: ['x', null], m: { t: true } } });
  });

  it('are stopped when they cost too much', () => {
    const op: LensOp = {
      cel: {
        from: 'spec.l',
        forward: 'self.filter(x, self.exists(y, y == x + 1))',
        backward: 'self',
        maxCost: 500,
      },
    };
    expect(() => forward(op, { l: Array.from({ length: 100 }, (_, i) => i) })).toThrow(/cost/);
  });

  it('keep large integers exact', () => {
    expect(
      forward(
        { cel: { from: 'spec.n', forward: 'self + 1', backward: 'self - 1' } },
        { n: 9007199254740993n },
      ),
    ).toEqual({
      n: 9007199254740994n,
    });
  });
});

describe('operations where there is nothing to do', () => {
  it('return the parts of the object that they did not touch', () => {
    const object = thing('v1', { a: { deep: [1] }, b: 1 });
    const there = lensOf(
      { rename: { from: 'spec.b', to: 'spec.c' } },
      { add: { path: 'spec.tls.mode', default: 'x' } },
    ).convert(object, 'v2');
    expect(there).toEqual(thing('v2', { a: { deep: [1] }, c: 1 }));
    expect((there['spec'] as JsonObject)['a']).toBe((object['spec'] as JsonObject)['a']);
    expect(there.metadata).toBe(object.metadata);
  });
});

describe('values in two places', () => {
  it('do not change with one another', () => {
    const lens = lensOf(
      { add: { path: 'spec.a.k', default: 1 } },
      { copy: { from: 'spec.a', to: 'spec.b' } },
      { add: { path: 'spec.b.z', default: 2 } },
      { wrap: { from: 'spec.a', to: 'spec.list' } },
      { add: { path: 'spec.list[*].y', default: 3 } },
    );
    const object = thing('v1', { a: { x: 0 }, list: 'in the way' });
    const there = lens.convertWithStash(object, undefined, 'v2');
    expect(there.object['spec']).toEqual({ b: { x: 0, k: 1, z: 2 }, list: [{ x: 0, k: 1, y: 3 }] });
    expect(lens.convertWithStash(there.object, there.stash, 'v1')).toEqual({ object, stash: undefined });
  });

  it('do not reach the lens', () => {
    const lens = lensOf({ add: { path: 'spec.o', default: { a: 1 } } });
    const first = lens.convert(thing('v1', {}), 'v2')['spec'] as { o: JsonObject };
    first.o['a'] = 2;
    expect(lens.convert(thing('v1', {}), 'v2')['spec']).toEqual({ o: { a: 1 } });
  });
});
