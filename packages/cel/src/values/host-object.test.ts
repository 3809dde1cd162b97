import { describe, expect, it } from 'vitest';
import {
  boolType,
  CelError,
  compile,
  doubleType,
  dynType,
  Environment,
  intType,
  listType,
  mapType,
  objectTypeOf,
  standardLibrary,
  stringType,
  type Value,
} from '../index.ts';

const inner = objectTypeOf('inner', { x: intType });
const self = objectTypeOf('self', {
  i: intType,
  d: doubleType,
  s: stringType,
  b: boolType,
  list: listType(inner),
  map: mapType(stringType, intType),
  inner,
  any: dynType,
  escaped__dash__name: { type: stringType, key: 'escaped-name' },
  constructor: stringType,
  filled: { type: intType, absent: 7 },
});
const environment = new Environment({ libraries: [standardLibrary], variables: { self } });
const value = (text: string, raw: unknown): Value => compile(text, environment).evaluate({ self: raw }).value;

describe('host values', () => {
  it('are typed by their declared type', () => {
    expect(value('type(self.i) == int && type(self.d) == double', { i: 1, d: 1 })).toBe(true);
    expect(value('self.i == 9223372036854775807', { i: 9223372036854775807n })).toBe(true);
    expect(value('type(self.any) == int', { any: 1 })).toBe(true);
    expect(value('type(self.any) == double', { any: 1.5 })).toBe(true);
    expect(value('self.i == 0', { i: -0 })).toBe(true);
  });

  it('are read in place', () => {
    const raw = { list: [{ x: 1 }, { x: 2 }], map: { a: 1 }, inner: { x: 3 } };
    expect(
      value('self.list.all(e, e.x > 0) && self.list[1].x + self.inner.x == 5 && self.map.a == 1', raw),
    ).toBe(true);
    const untouched = {
      get s(): string {
        throw new Error('this field must not be read');
      },
      i: 1,
    };
    expect(value('self.i == 1', untouched)).toBe(true);
  });

  it('give an error if missing', () => {
    expect(value('self.s', {})).toEqual(new CelError('no such key: s'));
    expect(value('self.list[3]', { list: [] })).toEqual(new CelError('index out of bounds: 3'));
    expect(value('self.map["z"]', { map: {} })).toEqual(new CelError('no such key: z'));
  });

  it('give their default if missing', () => {
    expect(value('has(self.s) || self.filled == 7', {})).toBe(true);
  });

  it('may have the names of inherited properties', () => {
    expect(value('has(self.constructor)', {})).toBe(false);
    expect(value('self.constructor == "c"', { constructor: 'c' })).toBe(true);
    expect(value('"__proto__" in self.map', { map: JSON.parse('{"__proto__": 1}') })).toBe(true);
    expect(value('"toString" in self.map', { map: {} })).toBe(false);
  });

  it('are read by the name that the host has for them', () => {
    expect(value('self.escaped__dash__name == "x"', { 'escaped-name': 'x' })).toBe(true);
  });

  it('do not let an error on one side of || hide the result of the other', () => {
    expect(value('self.s == "" || true', {})).toBe(true);
    expect(value('true || self.s == ""', {})).toBe(true);
    expect(value('self.s == "" && false', {})).toBe(false);
    expect(value('self.s == "" || false', {})).toBeInstanceOf(CelError);
    expect(value('[1, 2, 0].exists(n, 1 / n == 1) && ![1, 0].all(n, 2 / n == 1)', {})).toBe(true);
  });
});
