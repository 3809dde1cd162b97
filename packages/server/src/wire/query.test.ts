import { describe, expect, it } from 'vitest';
import { parseQuery } from './query.ts';

describe('parseQuery', () => {
  it.each([
    ['', []],
    [
      'a=1&a=2',
      [
        ['a', '1'],
        ['a', '2'],
      ],
    ],
    ['a=x+y%20z', [['a', 'x y z']]],
    ['a', [['a', '']]],
    ['a=%zz&b=1', [['b', '1']]],
    ['a=1%&b=1', [['b', '1']]],
    ['a=1;b=2&c=3', [['c', '3']]],
    [';', []],
    ['?a=1', [['?a', '1']]],
  ] as [string, string[][]][])('reads %j as Go does', (text, pairs) => {
    expect([...parseQuery(text)]).toEqual(pairs);
  });
});
