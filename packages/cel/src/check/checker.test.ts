import { describe, expect, it } from 'vitest';
import {
  boolType,
  Environment,
  formatType,
  intType,
  listType,
  mapType,
  objectTypeOf,
  opaqueType,
  optionalLibrary,
  parseAndCheck,
  standardLibrary,
  stringType,
  validateDurationLiterals,
  validateHomogeneousLiterals,
  validateRegexLiterals,
} from '../index.ts';

const self = objectTypeOf('self', {
  n: intType,
  s: stringType,
  list: listType(intType),
  map: mapType(stringType, boolType),
  ip: opaqueType('net.IP'),
});
const environment = new Environment({ libraries: [standardLibrary, optionalLibrary()], variables: { self } });
const messages = (text: string, within = environment): string => parseAndCheck(text, within).issues.format();

describe('messages', () => {
  const wanted: Record<string, string> = {
    'self.foo': "ERROR: <input>:1:5: undefined field 'foo'\n | self.foo\n | ....^",
    'has(self.foo)': "ERROR: <input>:1:4: undefined field 'foo'\n | has(self.foo)\n | ...^",
    'nothing == 1':
      "ERROR: <input>:1:1: undeclared reference to 'nothing' (in container '')\n | nothing == 1\n | ^",
    'self.n.isShiny()':
      "ERROR: <input>:1:15: undeclared reference to 'isShiny' (in container '')\n | self.n.isShiny()\n | ..............^",
    "self.n > 'a'":
      "ERROR: <input>:1:8: found no matching overload for '_>_' applied to '(int, string)'\n | self.n > 'a'\n | .......^",
    'self.s.size(1)':
      "ERROR: <input>:1:12: found no matching overload for 'size' applied to 'string.(int)'\n | self.s.size(1)\n | ...........^",
    'self.n && true': "ERROR: <input>:1:5: expected type 'bool' but found 'int'\n | self.n && true\n | ....^",
    'self.n.all(x, x)':
      "ERROR: <input>:1:5: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)\n | self.n.all(x, x)\n | ....^",
    'self.s.x': "ERROR: <input>:1:7: type 'string' does not support field selection\n | self.s.x\n | ......^",
    'self.\n  a': "ERROR: <input>:1:5: undefined field 'a'\n | self.\n | ....^",
    '"日本" + self.q': 'ERROR: <input>:1:12: undefined field \'q\'\n | "日本" + self.q\n | .．．........^',
    'self.a ==':
      "ERROR: <input>:1:10: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | self.a ==\n | .........^",
    'object.':
      "ERROR: <input>:1:8: Syntax error: no viable alternative at input '.'\n | object.\n | .......^",
    'a b': "ERROR: <input>:1:3: Syntax error: extraneous input 'b' expecting <EOF>\n | a b\n | ..^",
    while: 'ERROR: <input>:1:1: reserved identifier: while\n | while\n | ^',
  };
  for (const [text, message] of Object.entries(wanted))
    it(`for ${JSON.stringify(text)}`, () => expect(messages(text)).toBe(message));

  it('are in the order of the text', () => {
    expect(messages('self.b + self.a').match(/'\w'/g)).toEqual(["'b'", "'a'"]);
  });

  it('of literals are from the validators of the environment', () => {
    const strict = environment.extend({
      homogeneousLiterals: true,
      validators: [validateDurationLiterals, validateRegexLiterals, validateHomogeneousLiterals],
    });
    expect(messages("duration('x') > duration('1s')")).toBe('');
    expect(messages("duration('x') > duration('1s')", strict)).toContain('1:10: invalid duration argument');
    expect(messages("self.s.matches('(')", strict)).toContain('1:16: invalid matches argument');
    expect(messages("[1, 'a']", strict)).toContain("1:5: expected type 'int' but found 'string'");
    expect(messages("[1, 'a']")).toBe('');
    expect(messages("{'a': dyn(1), 'b': 'c'}", strict)).toContain("expected type 'dyn' but found 'string'");
    expect(messages("[dyn(1), dyn('a')]", strict)).toBe('');
  });
});

describe('types', () => {
  const deduced: Record<string, string> = {
    '[]': 'list(dyn)',
    '[1, 2]': 'list(int)',
    "[1, 'a']": 'list(dyn)',
    '{}': 'map(dyn, dyn)',
    'self.list.map(x, x > 1)': 'list(bool)',
    'self.map.filter(k, self.map[k])': 'list(string)',
    'self.?n': 'optional_type(int)',
    'self.?list[?0].orValue(1)': 'int',
    'type(self.n)': 'type(int)',
    'self.ip == self.ip': 'bool',
    'true ? 1 : dyn(2)': 'dyn',
    "timestamp('2020-01-01T00:00:00Z')": 'timestamp',
  };
  for (const [text, type] of Object.entries(deduced)) {
    it(`of ${text} is ${type}`, () => {
      const checked = parseAndCheck(text, environment);
      expect(checked.issues.format()).toBe('');
      expect(formatType(checked.typeOf(checked.expr))).toBe(type);
    });
  }
});
