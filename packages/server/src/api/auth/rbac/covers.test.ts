import { expect, it } from 'vitest';
import type { PolicyRule } from '../../../kinds/validate/rbac.ts';
import { missingLines, uncovered } from './covers.ts';

const rule = (verbs: string, groups: string, resources: string, names?: string): PolicyRule => ({
  verbs: verbs.split(','),
  apiGroups: groups.split(','),
  resources: resources.split(','),
  ...(names !== undefined && { resourceNames: names.split(',') }),
});
const paths = (verbs: string, urls: string): PolicyRule => ({
  verbs: verbs.split(','),
  nonResourceURLs: urls.split(','),
});
const missing = (held: PolicyRule[], wanted: PolicyRule[]): string[] => {
  const found = uncovered(held, wanted);
  if (found === 'too-many') throw new Error('too many');
  return missingLines(found);
};

it.each<[string, PolicyRule[], PolicyRule[]]>([
  ['what is held', [rule('get,list', 'a', 'x,y')], [rule('list', 'a', 'y')]],
  [
    'parts that two rules hold',
    [rule('get', 'a', 'x'), rule('list', 'a', 'x')],
    [rule('get,list', 'a', 'x')],
  ],
  ['everything by *', [rule('*', '*', '*')], [rule('fly', 'b', 'z/w', 'n')]],
  ['a subresource by */', [rule('get', 'a', '*/scale')], [rule('get', 'a', 'x/scale')]],
  ['a name by a rule without names', [rule('get', 'a', 'x')], [rule('get', 'a', 'x', 'n')]],
  ['a path by a prefix', [paths('get', '/a/*')], [paths('get', '/a/b,/a/*')]],
])('covers %s', (_, held, wanted) => {
  expect(missing(held, wanted)).toEqual([]);
});

it.each<[string, PolicyRule[], PolicyRule[], string[]]>([
  [
    'the verbs of a resource together',
    [rule('get', 'a', 'x')],
    [rule('get,list,watch', 'a', 'x')],
    ['{APIGroups:["a"], Resources:["x"], Verbs:["list" "watch"]}'],
  ],
  [
    'all names if only some are held',
    [rule('get', 'a', 'x', 'n')],
    [rule('get', 'a', 'x')],
    ['{APIGroups:["a"], Resources:["x"], Verbs:["get"]}'],
  ],
  [
    'a wildcard that is not held',
    [rule('get', 'a', 'x')],
    [rule('get', 'a', '*')],
    ['{APIGroups:["a"], Resources:["*"], Verbs:["get"]}'],
  ],
  [
    'paths one by one, sorted',
    [],
    [paths('get', '/b,/a'), rule('get', '', 'p', 'n')],
    [
      '{APIGroups:[""], Resources:["p"], ResourceNames:["n"], Verbs:["get"]}',
      '{NonResourceURLs:["/a"], Verbs:["get"]}',
      '{NonResourceURLs:["/b"], Verbs:["get"]}',
    ],
  ],
])('reports %s', (_, held, wanted, lines) => {
  expect(missing(held, wanted)).toEqual(lines);
});

it('refuses to compare products that would take seconds', () => {
  const many = Array.from({ length: 1000 }, (_, index) => `n${index}`).join(',');
  expect(uncovered([rule('*', '*', '*')], [rule(many, many, many)])).toBe('too-many');
});
