import { expect, it } from 'vitest';
import { memberPaths } from './member-paths.ts';

it('lists members in the order of the text, with repetitions', () => {
  const text =
    '{"b":{"x":1,"x":[{"y":"a,b]\\"}"},{"y":2},[{"z":1}]]},"a":null,"b" : 3,"c":[[],{}],"d\\u0041":0}';
  expect([...memberPaths(text)]).toEqual([
    'b',
    'b.x',
    'b.x',
    'b.x[0].y',
    'b.x[1].y',
    'b.x[2][0].z',
    'a',
    'b',
    'c',
    'dA',
  ]);
});
