import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../json-value.ts';
import { compileJsonPath } from './json-path.ts';

const object: JsonValue = {
  kind: 'List',
  metadata: { labels: { 'app.kubernetes.io/name': 'x', constructor: 'c' }, empty: '' },
  spec: { replicas: 3, on: true, list: [1, 2, 3, 4], big: 9007199254740993n, none: null },
  status: {
    conditions: [
      { type: 'Ready', status: 'True', n: 1 },
      { type: 'Synced', status: 'False', n: 2 },
      { type: ')', status: 'odd' },
    ],
  },
};

describe('compileJsonPath', () => {
  it.each<[string, JsonValue[]]>([
    ['.spec.replicas', [3]],
    ['{.spec.replicas}', [3]],
    ['spec.replicas', [3]],
    ['$.spec.replicas', [3]],
    ['{@.spec.replicas}', [3]],
    ['.spec.gone.deeper', []],
    ['.toString', []],
    ['.metadata.labels.constructor', ['c']],
    ['.metadata.labels.app\\.kubernetes\\.io/name', ['x']],
    [".metadata.labels['app\\.kubernetes\\.io/name']", ['x']],
    ["['kind']", ['List']],
    ['.spec.big', [9007199254740993n]],
    ['.spec.none', [null]],
    ['.spec.none.x', []],
    ['.spec.list[0]', [1]],
    ['.spec.list[-1]', [4]],
    ['.spec.list[1:3]', [2, 3]],
    ['.spec.list[:2]', [1, 2]],
    ['.spec.list[2:]', [3, 4]],
    ['.spec.list[-2:]', [3, 4]],
    ['.spec.list[::2]', [1, 3]],
    ['.spec.list[0,2]', [1, 3]],
    ['.spec.list[*]', [1, 2, 3, 4]],
    ['.spec.list[2:2]', []],
    ['.spec.list[9]', []],
    ['.spec.list[::0]', []],
    ['.spec.replicas[0]', []],
    ["['kind','spec'].replicas", [3]],
    ['.status.conditions[?(@.type=="Ready")].status', ['True']],
    ["{.status.conditions[?(@.type == 'Synced')].status}", ['False']],
    ['.status.conditions[?(@.type==")")].status', ['odd']],
    ['.status.conditions[?(@.n>1)].type', ['Synced']],
    ['.status.conditions[?(@.n<=1)].type', ['Ready']],
    ['.status.conditions[?(@.n)].type', ['Ready', 'Synced']],
    ['.status.conditions[?(@.type!="Ready")].type', ['Synced', ')']],
    ['.status.conditions[?(@.status==true)].type', []],
    ['.status.conditions[*].type', ['Ready', 'Synced', ')']],
    ['.spec[?(@.x)]', []],
    ['..type', ['Ready', 'Synced', ')']],
    ['.metadata.labels.*', ['x', 'c']],
    ['kind: {.kind}', ['kind: ', 'List']],
    ['{unknown}', []],
  ])('%s', (path, expected) => {
    expect(compileJsonPath(path).find(object)).toEqual(expected);
  });

  it('renders templates', () => {
    const template = '{range .status.conditions[*]}{.type}={.status}{"\\n"}{end}{.spec.list} {.spec.list[*]}';
    expect(compileJsonPath(template).print(object)).toBe(
      'Ready=True\nSynced=False\n)=odd\n[1,2,3,4] 1 2 3 4',
    );
    expect(compileJsonPath('{.status.conditions[0]}').print(object)).toBe(
      '{"n":1,"status":"True","type":"Ready"}',
    );
    expect(() => compileJsonPath('{.spec.list[9]}').print(object)).toThrow(
      'array index out of bounds: index 9, length 4',
    );
  });

  it.each([
    ['{.spec', 'unclosed action'],
    ['.spec[0', 'unterminated array'],
    ['.spec[x]', 'invalid array index x'],
    ['.spec[?(@.a==1)', 'unclosed array expect ]'],
    ['.spec[?(@.a==1', 'unterminated filter'],
    ['{"a}', 'unterminated quoted string'],
    ['....a', 'invalid multiple recursive descent'],
    ['.a#b}', ''],
    ['{#}', "unrecognized character in action: U+0023 '#'"],
    ['{end}', 'not in range, nothing to end'],
    ['{-}', 'cannot parse number -'],
  ])('refuses %s', (path, message) => {
    if (message === '') expect(() => compileJsonPath(path)).not.toThrow();
    else
      expect(() => compileJsonPath(path)).toThrow(
        expect.objectContaining({ name: 'JsonPathError', message }),
      );
  });

  it('throws only its own errors on any path and any data', () => {
    const path = fc.string({ unit: fc.constantFrom(...'.[]*?@()=\'"-:,09ab{} \\'.split('')), maxLength: 14 });
    fc.assert(
      fc.property(path, fc.jsonValue(), (text, value) => {
        try {
          compileJsonPath(text).find(value as JsonValue);
        } catch (error) {
          expect((error as Error).name).toBe('JsonPathError');
        }
      }),
      { numRuns: 500 },
    );
  });
});
