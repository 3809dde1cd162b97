import { describe, expect, it } from 'vitest';
import { compile } from '../compile.ts';
import { kubernetesEnvironment } from './environment.ts';
import { patchEnvironment } from './patch-types.ts';

const environment = patchEnvironment(kubernetesEnvironment());
const resultOf = (text: string) => compile(text, environment).evaluate({}).value;
const faultOf = (text: string): string => {
  try {
    compile(text, environment);
    return '';
  } catch (error) {
    return (error as Error).message.split('\n')[0]!;
  }
};

describe('types of patches', () => {
  it.each([
    ['Object{spec: Object.spec{n: 3}} == Object{spec: Object.spec{n: 1 + 2}}', true],
    ['Object{spec: Object.spec{n: 3}} == Object{spec: Object.spec{n: 3, m: 1}}', false],
    ['dyn(Object{n: 1}) == dyn(Object.spec{n: 1})', false],
    ['Object{list: [1, 2, 3]}.list.sum()', 6],
    ['has(Object{a: 1}.a) && !has(Object{a: 1}.b)', true],
    ['type(Object.spec{}) == Object.spec', true],
    ['JSONPatch{op: "add", path: "/a"}.op', 'add'],
    ['jsonpatch.escapeKey("k8s.io/x~y")', 'k8s.io~1x~0y'],
  ])('are constructed and read: %s', (text, expected) => {
    expect(resultOf(text)).toBe(expected);
  });

  it.each([
    ['Invalid{}', "ERROR: <input>:1:8: undeclared reference to 'Invalid' (in container '')"],
    [
      'JSONPatch{op: 1}',
      "ERROR: <input>:1:13: expected type of field 'op' is 'string' but provided type is 'int'",
    ],
    [
      'JSONPatch{where: "/a"}',
      "ERROR: <input>:1:16: expected type of field 'where' is '' but provided type is 'string'",
    ],
  ])('are checked: %s', (text, fault) => {
    expect(faultOf(text)).toBe(fault);
  });

  it('are not known to other expressions', () => {
    expect(() => compile('Object{}', kubernetesEnvironment())).toThrow("undeclared reference to 'Object'");
  });
});
