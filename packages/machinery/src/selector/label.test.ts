import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldErrorMessage } from '../field/error.ts';
import { FieldPath } from '../field/path.ts';
import { parseLabelSelector } from './label.ts';
import { labelSelectorFromObject, validateLabelSelectorObject } from './label-selector-object.ts';

const OBJECTS: Record<string, Record<string, string>> = {
  a1: { app: 'web', tier: 'front', rank: '1' },
  a2: { app: 'web', tier: 'back', rank: '5' },
  b1: { app: 'db', rank: '10', empty: '' },
  c1: {},
  d1: { 'example.com/app': 'x', rank: 'high' },
};
const selected = (selector: { matches(labels: Record<string, string>): boolean }) =>
  Object.keys(OBJECTS)
    .filter((name) => selector.matches(OBJECTS[name]!))
    .join(' ');

describe('parseLabelSelector', () => {
  it.each([
    ['app=web', 'a1 a2', 'app=web'],
    ['app==web', 'a1 a2', 'app==web'],
    ['app!=web', 'b1 c1 d1', 'app!=web'],
    ['app in (web,db)', 'a1 a2 b1', 'app in (db,web)'],
    ['app notin (web)', 'b1 c1 d1', 'app notin (web)'],
    ['app', 'a1 a2 b1', 'app'],
    ['!app', 'c1 d1', '!app'],
    ['tier,app', 'a1 a2', 'app,tier'],
    ['app in (web, db),!tier', 'b1', 'app in (db,web),!tier'],
    ['rank>3', 'a2 b1', 'rank>3'],
    ['rank<10', 'a1 a2', 'rank<10'],
    ['empty=', 'b1', 'empty='],
    ['empty in ()', 'b1', 'empty in ()'],
    ['app in (,web)', 'a1 a2', 'app in (,web)'],
    [' app = web ', 'a1 a2', 'app=web'],
    ['', 'a1 a2 b1 c1 d1', ''],
    ['in in (in)', '', 'in in (in)'],
    ['constructor', '', 'constructor'],
  ])('%j selects %s', (text, names, printed) => {
    const selector = parseLabelSelector(text);
    expect(selected(selector)).toBe(names);
    expect(selector.toString()).toBe(printed);
    expect(selected(parseLabelSelector(printed))).toBe(names);
  });

  it.each([
    [',', "found ',', expected: !, identifier, or 'end of string'"],
    ['app,', "found '', expected: identifier after ','"],
    ['app in web', "unable to parse requirement: found 'web' expected: '('"],
    ['app=web)', "found ')', expected: ',' or 'end of string'"],
    ['app in (web', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['app in (=)', "unable to parse requirement: found '=', expected: ',', ')' or identifier"],
    ['app=(web)', "unable to parse requirement: found '(', expected: identifier"],
    ['=web', "found '=', expected: !, identifier, or 'end of string'"],
    ['app!', "unable to parse requirement: found '!', expected: in, notin, =, ==, !=, gt, lt"],
    ['app=a b', "found 'b', expected: ',' or 'end of string'"],
    ['!', "unable to parse requirement: found '', expected: identifier"],
    ['!app=web', "found '=', expected: ',' or 'end of string'"],
    ['app===web', "unable to parse requirement: found '=', expected: identifier"],
    [
      'rank>high',
      "unable to parse requirement: values[0]: Invalid value: \"high\": for 'Gt', 'Lt' operators, the value must be an integer",
    ],
  ])('refuses %j', (text, message) => {
    expect(() => parseLabelSelector(text)).toThrow(
      expect.objectContaining({ name: 'SelectorError', message }),
    );
  });

  it('names the value or the key that is not valid', () => {
    expect(() => parseLabelSelector('app=-x')).toThrow(
      'unable to parse requirement: values[0][app]: Invalid value: "-x": a valid label',
    );
    expect(() => parseLabelSelector('a/b/c=1')).toThrow(
      'unable to parse requirement: <nil>: Invalid value: "a/b/c": a valid label key',
    );
  });

  it('terminates on any text', () => {
    const text = fc.string({ unit: fc.constantFrom(...'abin!=<>(), '.split('')), maxLength: 12 });
    fc.assert(
      fc.property(text, (selector) => {
        try {
          const parsed = parseLabelSelector(selector);
          return parseLabelSelector(parsed.toString()).toString() === parsed.toString();
        } catch (error) {
          return (error as Error).name === 'SelectorError';
        }
      }),
    );
  });
});

describe('LabelSelector objects', () => {
  it('select nothing if null, everything if empty', () => {
    expect(selected(labelSelectorFromObject(undefined))).toBe('');
    expect(selected(labelSelectorFromObject({}))).toBe('a1 a2 b1 c1 d1');
    const object = {
      matchLabels: { app: 'web' },
      matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['back'] }],
    };
    expect(selected(labelSelectorFromObject(object))).toBe('a1');
    expect(() => labelSelectorFromObject({ matchExpressions: [{ key: 'a', operator: 'Gt' }] })).toThrow(
      '"Gt" is not a valid label selector operator',
    );
  });

  it('are validated', () => {
    const object = {
      matchExpressions: [
        { key: 'a', operator: 'In' },
        { key: 'a', operator: 'Exists', values: ['x'] },
        { key: 'a', operator: 'X' },
      ],
    };
    expect(validateLabelSelectorObject(object, FieldPath.of('selector')).map(fieldErrorMessage)).toEqual([
      "selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      "selector.matchExpressions[1].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
      'selector.matchExpressions[2].operator: Invalid value: "X": not a valid selector operator',
    ]);
  });
});
