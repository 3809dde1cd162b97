import { describe, expect, it } from 'vitest';
import { parseMediaType } from './media-type.ts';

describe('parseMediaType', () => {
  it.each([
    ['application/json', 'application/json'],
    ['Application/JSON', 'application/json'],
    ['application/json; charset=UTF-8', 'application/json'],
    ['application/json ; a=b', 'application/json'],
    ['application/json;', 'application/json'],
    ['application/json; a=1; a=1', 'application/json'],
    ['application/json; charset="utf-8"', 'application/json'],
    ['application/json; charset="a\\"b;c"', 'application/json'],
    ['json', 'json'],
  ])('reads %j as %j', (header, type) => {
    expect(parseMediaType(header)).toBe(type);
  });

  it.each([
    'application/json;;',
    'application/json; q',
    'application/json; a=1; a=2',
    'application/json; charset="utf-8',
    'application/json; a=',
    'application/json, application/yaml',
    'application/',
    'a/b/c',
    ';',
    '/',
    '',
  ])('refuses %j', (header) => {
    expect(parseMediaType(header)).toBeUndefined();
  });
});
