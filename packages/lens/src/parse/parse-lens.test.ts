// Errors in a document are reported when it is loaded, with their path.
import { fieldErrorMessage, type JsonValue } from '@instar/machinery';
import { describe, expect, it } from 'vitest';
import { documentOf } from '../testing/lens-of.ts';
import { parseLens } from './parse-lens.ts';

const errorsOf = (document: JsonValue, versions?: string[]): string[] =>
  (parseLens(document, versions && { versions }).errors ?? []).map(fieldErrorMessage);
const errorsOfOps = (...ops: JsonValue[]): string[] => errorsOf(documentOf([{ from: 'v1', to: 'v2', ops }]));
const AT = 'spec.lenses[0].ops[0]';

describe('documents', () => {
  it('must be lenses', () => {
    expect(errorsOf('x')).toEqual(['<nil>: Invalid value: "x": must be an object of kind Lens']);
    expect(errorsOf({ kind: 'Pod' })).toEqual([
      'apiVersion: Unsupported value: "": supported values: "instar.dev/v1alpha1"',
      'kind: Unsupported value: "Pod": supported values: "Lens"',
      'spec: Required value: must hold crd and lenses',
      'spec.crd: Required value',
      'spec.lenses: Required value: must be a list of lenses',
    ]);
  });

  it('must lead from every version to every other', () => {
    const apart = [
      { from: 'v1', to: 'v2' },
      { from: 'v3', to: 'v4' },
    ];
    expect(errorsOf(documentOf(apart))).toEqual([
      'spec.lenses: Invalid value: there is no route between v1 and v3',
      'spec.lenses: Invalid value: there is no route between v1 and v4',
    ]);
    expect(errorsOf(documentOf([{ from: 'v1', to: 'v2' }]), ['v1', 'v2', 'v3'])).toEqual([
      'spec.lenses: Invalid value: there is no route between v1 and v3',
    ]);
  });

  it('must not join the same versions twice, in either direction', () => {
    const twice = [
      { from: 'v1', to: 'v2' },
      { from: 'v2', to: 'v1' },
    ];
    expect(errorsOf(documentOf(twice))).toEqual([
      'spec.lenses[1]: Invalid value: v1 and v2 are joined by spec.lenses[0] already; a lens is read in both directions',
    ]);
    expect(errorsOf(documentOf([{ from: 'v1', to: 'v1' }]))).toEqual([
      'spec.lenses[0].to: Invalid value: "v1": must be another version than from',
    ]);
  });
});

describe('operations', () => {
  it.each<[string, JsonValue, string]>([
    [
      'must be one',
      {},
      `${AT}: Invalid value: {}: must be one operation: an object with one key, such as { rename: { from, to } }`,
    ],
    [
      'must have their fields',
      { rename: { from: 'spec.a' } },
      `${AT}.rename.to: Required value: must be a string that is not empty`,
    ],
    [
      'must have no others',
      { add: { path: 'spec.a', defualt: 1 } },
      `${AT}.add: Unsupported value: "defualt": supported values: "path", "default"`,
    ],
    [
      'leave metadata alone',
      { remove: { path: 'metadata.name' } },
      `${AT}.remove.path: Invalid value: "metadata.name": lenses do not change metadata`,
    ],
    [
      'need real paths',
      { remove: { path: 'spec..a' } },
      `${AT}.remove.path: Invalid value: "spec..a": expected a field name at ".a": write a.b, a[*].b for items of a list, a{*}.b for values of a map`,
    ],
    [
      'never name prototypes',
      { remove: { path: "spec['__proto__']" } },
      `${AT}.remove.path: Invalid value: "spec['__proto__']": must not name __proto__`,
    ],
    [
      'pass through the same lists',
      { move: { from: 'spec.a[*].x', to: 'spec.x' } },
      `${AT}.move.to: Invalid value: "spec.x": spec.x must pass through the same lists and maps as spec.a[*].x`,
    ],
    [
      'do not put things into themselves',
      { move: { from: 'spec.a', to: 'spec.a.b' } },
      `${AT}.move.to: Invalid value: "spec.a.b": spec.a and spec.a.b contain one another: use box or unbox for a value that goes into or out of an object of its own`,
    ],
    [
      'say where rename ends and move begins',
      { rename: { from: 'spec.a', to: 'status.a' } },
      `${AT}.rename.to: Invalid value: "status.a": must be in the same place as spec.a; use move for another`,
    ],
    [
      'do not remove items',
      { remove: { path: 'spec.a[*]' } },
      `${AT}.remove.path: Invalid value: "spec.a[*]": must name a field, not an item of a list or a value of a map`,
    ],
    [
      'cast to another type',
      { cast: { path: 'spec.a', from: 'string', to: 'string' } },
      `${AT}.cast.to: Invalid value: "string": must be another type`,
    ],
    [
      'ask how the new version is told apart',
      {
        when: {
          left: { path: 'spec.type', equals: 'x' },
          ops: [{ rename: { from: 'spec.type', to: 'spec.kind' } }],
        },
      },
      `${AT}.when.right: Invalid value: rename spec.type → spec.kind touches spec.type: say how objects of the new version are distinguished`,
    ],
  ])('%s', (_, op, expected) => {
    expect(errorsOfOps(op)).toEqual([expected]);
  });

  it('must exist', () => {
    expect(errorsOfOps({ renmae: {} })[0]).toMatch(
      /^spec\.lenses\[0\]\.ops\[0\]: Unsupported value: "renmae": supported values: "rename", "move", /,
    );
  });

  it('report what is wrong with an expression', () => {
    expect(errorsOfOps({ cel: { from: 'spec.a', forward: 'self +', backward: 'other' } }).join('\n')).toMatch(
      /cel\.forward.*Syntax error[\s\S]*cel\.backward.*undeclared reference to 'other'/,
    );
  });

  it('have a limited depth', () => {
    let op: JsonValue = { remove: { path: 'a' } };
    for (let i = 0; i < 40; i++) op = { each: { path: 'a', ops: [op] } };
    expect(errorsOfOps({ each: { path: 'spec.a', ops: [op] } }).join()).toMatch(
      /must not be nested more than 32 deep/,
    );
  });
});
