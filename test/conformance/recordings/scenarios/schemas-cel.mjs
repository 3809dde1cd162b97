// The CEL language in x-kubernetes-validations: types, operators, macros, escapes, transitions, messages,
// errors and limits.
import { CRDS, crd, integer, object, string } from '../lib/fixtures.mjs';
import { install, refusal, rules } from './schemas/install.mjs';

// Bounds keep the estimated cost of the rules below what a CRD may cost.
const short = { type: 'string', maxLength: 40 };
const list = (items, rest) => ({ type: 'array', maxItems: 10, items, ...rest });
const map = (values, rest) => ({ type: 'object', maxProperties: 10, additionalProperties: values, ...rest });
const number = { type: 'number' };
const either = { 'x-kubernetes-int-or-string': true };
const checked = (schema, ...checks) => ({
  ...schema,
  'x-kubernetes-validations': checks.map((c) => (typeof c === 'string' ? { rule: c } : c)),
});

export async function celScalars(t) {
  await rules(t, 'cel-scalars', [
    [integer, 'self > 3 && self % 2 == 0', [4], [3]],
    [integer, 'self / 2 == 3 && -self / 2 == -3', [7], [8]],
    [integer, 'self < 2.5', [2], [3]],
    [integer, '(self > 0 ? self : -self) == 5', [5, -5], [4]],
    [integer, 'self == 9007199254740993', [], [9007199254740992]],
    [integer, 'string(self) == "12" && double(self) == 12.0 && uint(self) == 12u', [12], [13]],
    [number, 'self == 0.1 + 0.2', [0.30000000000000004], [0.3]],
    [number, 'self > 2', [2.5, 3], [2]],
    [number, 'int(self) == 2', [2.9], [3.1]],
    [{ type: 'boolean' }, 'self || false', [true], [false]],
    [short, 'self.size() == 2 && size(self) == 2', ['é😀'], ['é']],
    [short, 'self in ["a", "b"]', ['a'], ['c', '']],
    [short, 'self + "x" == "abx"', ['ab'], ['a']],
    [short, 'self < "b"', ['a', 'B'], ['b', 'é']],
    [short, 'self.startsWith("a") && self.endsWith("z") && self.contains("m")', ['amz'], ['am']],
    [short, 'self.matches("[0-9]+")', ['a1b'], ['ab']],
    [short, 'int(self) == 42', ['42'], ['43']],
    [short, 'type(self) == string && dyn(self) != 5', ['x']],
    [short, 'b"abc" == bytes(self) && size(bytes(self)) == 3', ['abc'], ['é']],
    [short, "self == 'it\\'s' || self == r'a\\b'", ["it's", 'a\\b'], ['x']],
    [either, 'type(self) == int ? self < 10 : self.endsWith("%")', [9, '50%'], [10, '50']],
    [either, 'self == 5 || self == "five"', [5, 'five'], [6, '5']],
    [{ type: 'string', format: 'byte', maxLength: 40 }, 'self == b"hello"', ['aGVsbG8='], ['aGVsbG9v']],
    [{ type: 'string', nullable: true, maxLength: 40 }, 'self == "a"', ['a', null], ['b']],
    [{ type: 'string', enum: ['one', 'two'] }, 'self != "two"', ['one'], ['two']],
  ]);
}

export async function celContainers(t) {
  const pair = object({ a: integer, b: integer, c: { type: 'string', maxLength: 10, default: 'd' } });
  const named = list(object({ name: short, value: integer }, { required: ['name'] }), {
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
  });
  await rules(t, 'cel-containers', [
    [list(integer), 'self.all(x, x > 0)', [[1, 2], []], [[1, 0]]],
    [list(integer), 'self.exists(x, x == 2)', [[1, 2]], [[1], []]],
    [list(integer), 'self.exists_one(x, x == 2)', [[1, 2]], [[2, 2]]],
    [list(integer), 'self.map(x, x * 2) == [2, 4]', [[1, 2]], [[2, 1]]],
    [list(integer), 'self.map(x, x > 1, x + 1) == [3]', [[1, 2]], [[1]]],
    [list(integer), 'self.filter(x, x % 2 == 0).size() == 1', [[1, 2, 3]], [[2, 4]]],
    [list(integer), 'self[0] == 1 && 3 in self && self + [9] == [1, 3, 9]', [[1, 3]], [[1, 2]]],
    [list(list(integer)), 'self.all(row, row.exists(x, x == row[0]))', [[[1], [2, 3]]]],
    [list(short, { 'x-kubernetes-list-type': 'set' }), 'self == ["a", "b"]', [['b', 'a']], [['a']]],
    [
      list(short, { 'x-kubernetes-list-type': 'set' }),
      'self + ["a", "c"] == ["a", "b", "c"]',
      [['b', 'a']],
      [['b', 'd']],
    ],
    [
      named,
      'self.map(x, x.name) == ["a", "b"]',
      [[{ name: 'a' }, { name: 'b' }]],
      [[{ name: 'b' }, { name: 'a' }]],
    ],
    [
      named,
      'self.all(x, has(x.value) && self.exists_one(y, y.name == x.name))',
      [[{ name: 'a', value: 1 }]],
      [[{ name: 'a' }]],
    ],
    [map(integer), '"a" in self && self["a"] == 1 && self.a == 1', [{ a: 1 }], [{ b: 1 }]],
    [map(integer), 'self.all(k, k.startsWith("x") && self[k] > 0)', [{ x1: 1 }, {}], [{ x1: 0 }]],
    [
      map(integer),
      'self.exists(k, self[k] == 2) && size(self) == 2 && has(self.a)',
      [{ a: 1, b: 2 }],
      [{ a: 1, c: 3 }],
    ],
    [map(integer), 'self == {"a": 1, "b": 2}', [{ b: 2, a: 1 }], [{ a: 1 }]],
    [
      pair,
      'has(self.a) && (!has(self.b) || self.a < self.b)',
      [{ a: 1 }, { a: 1, b: 2 }],
      [{ b: 1 }, { a: 2, b: 1 }],
    ],
    [pair, 'has(self.c) && self.c == "d"', [{}], [{ c: 'e' }]],
    [
      object({ maybe: { type: 'integer', nullable: true } }),
      '!has(self.maybe) || self.maybe > 1',
      [{}, { maybe: null }, { maybe: 2 }],
      [{ maybe: 1 }],
    ],
    [
      object({ in: object({ deep: object({ x: integer }) }) }),
      'has(self.__in__.deep) && self.__in__.deep.x == 1',
      [{ in: { deep: { x: 1 } } }],
      [{ in: {} }],
    ],
    [
      object({
        open: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          properties: { known: integer },
        },
      }),
      'has(self.open.known)',
      [{ open: { known: 1, other: 2 } }],
      [{ open: { other: 2 } }],
    ],
    [
      object({
        template: object({ spec: object({ n: integer }) }, { 'x-kubernetes-embedded-resource': true }),
      }),
      'self.template.kind == "Pod" && self.template.metadata.name == "p" && self.template.apiVersion == "v1"',
      [{ template: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } } }],
      [{ template: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'q' } } }],
    ],
  ]);
}

export async function celEscapes(t) {
  const names = {
    namespace: '__namespace__',
    'my-field': 'my__dash__field',
    'a.b': 'a__dot__b',
    'a/b': 'a__slash__b',
    x__y: 'x__underscores__y',
    if: '__if__',
    package: '__package__',
    true: '__true__',
    null: '__null__',
    in: '__in__',
    _under: '_under',
    camelCase: 'camelCase',
    int: 'int',
    self: 'self',
    string: 'string',
    a1: 'a1',
    'a-b.c/d': 'a__dash__b__dot__c__slash__d',
  };
  const cases = Object.entries(names).map(([name, escaped]) => [
    object({ [name]: integer }),
    `has(self.${escaped}) && self.${escaped} == 1`,
    [{ [name]: 1 }],
    [{ [name]: 2 }],
  ]);
  await rules(t, 'cel-escapes', [
    ...cases,
    [
      object({ namespace: integer, if: integer }),
      'self.namespace == 1 && self.if == 2',
      [{ namespace: 1, if: 2 }],
      [{ namespace: 1, if: 3 }],
    ],
    [
      map(integer),
      'self["my-key"] == 1 && self["a/b"] == 2 && self["namespace"] == 3',
      [{ 'my-key': 1, 'a/b': 2, namespace: 3 }],
      [{ 'my-key': 2, 'a/b': 2, namespace: 3 }],
    ],
  ]);
}

export async function celPlaces(t) {
  const row = checked(
    object(
      {
        name: checked(short, { rule: 'self != "bad"', message: 'may not be bad' }),
        n: integer,
      },
      { required: ['name'] },
    ),
    { rule: '!has(self.n) || self.n > 0', message: 'n must be positive' },
  );
  const w = await install(
    t,
    'cel-places',
    checked(
      object({
        spec: checked(
          object({
            rows: checked(list(row), { rule: 'self.size() != 3', message: 'not three' }),
            table: checked(map(row), { rule: '!("none" in self)', message: 'no none' }),
            min: integer,
            max: integer,
            words: list(checked(short, 'self.size() > 1')),
            nested: map(list(row)),
            template: checked(
              object({ spec: object({ n: integer }) }, { 'x-kubernetes-embedded-resource': true }),
              {
                rule: 'self.kind != "Secret"',
                message: 'no secrets',
              },
            ),
          }),
          {
            rule: '!has(self.min) || !has(self.max) || self.min <= self.max',
            message: 'min must not exceed max',
          },
        ),
        status: checked(object({ n: integer }), {
          rule: '!has(self.n) || self.n >= 0',
          message: 'n must not be negative',
        }),
      }),
      { rule: 'self.metadata.name.size() < 10', message: 'the name is too long' },
      { rule: '!self.metadata.name.startsWith("x") || has(self.spec)', message: 'x needs a spec' },
      { rule: 'self.kind == "Widget" && self.apiVersion.endsWith("/v1")' },
    ),
  );
  for (const [name, label, rest] of [
    [
      'good',
      'every rule holds',
      { spec: { rows: [{ name: 'a', n: 1 }], table: { k: { name: 'b' } }, min: 1, max: 2, words: ['ab'] } },
    ],
    ['long-name-x', 'a rule at the root, on the name', {}],
    ['xyz', 'a rule at the root, on the spec', {}],
    ['spec', 'a rule on the spec', { spec: { min: 2, max: 1 } }],
    ['list', 'a rule on a list', { spec: { rows: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] } }],
    ['item', 'a rule on an item', { spec: { rows: [{ name: 'a' }, { name: 'b', n: 0 }] } }],
    ['field', 'a rule on a field of an item', { spec: { rows: [{ name: 'bad' }] } }],
    ['word', 'a rule on a scalar item', { spec: { words: ['ab', 'c'] } }],
    ['map', 'a rule on a map', { spec: { table: { none: { name: 'a' } } } }],
    ['value', 'a rule on a value of a map', { spec: { table: { 'a.b': { name: 'a', n: -1 } } } }],
    [
      'nested',
      'a rule on an item of a list in a map',
      { spec: { nested: { k: [{ name: 'a' }, { name: 'bad' }] } } },
    ],
    [
      'embedded',
      'a rule on an embedded resource',
      { spec: { template: { apiVersion: 'v1', kind: 'Secret' } } },
    ],
    ['status', 'a rule on the status', { status: { n: -1 } }],
    ['absent', 'rules on what is absent do not run', { spec: {} }],
    ['type', 'a fault of type keeps the rules from running', { spec: { min: 'x', rows: [{ name: 'bad' }] } }],
    ['missing', 'so does a missing required field', { spec: { min: 2, max: 1, rows: [{ n: 1 }] } }],
  ])
    await w.create(label, name, rest);
  await t.step('a rule on a generated name', 'POST', w.url, {
    body: { ...w.body(''), metadata: { generateName: 'gen-' } },
    pick: (b) => b.metadata.name.length,
  });
}

export async function celTransitions(t) {
  const row = object(
    { name: short, n: checked(integer, { rule: 'self >= oldSelf', message: 'n may only grow' }) },
    { required: ['name'] },
  );
  const keyed = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] };
  const w = await install(
    t,
    'cel-transitions',
    object({
      spec: checked(
        object({
          fixed: checked(short, { rule: 'self == oldSelf', message: 'is immutable' }),
          fixedRows: checked(list(object({ name: short, n: integer }, { required: ['name'] }), keyed), {
            rule: 'self == oldSelf',
            message: 'rows are immutable',
          }),
          fixedSet: checked(list(short, { 'x-kubernetes-list-type': 'set' }), {
            rule: 'self == oldSelf',
            message: 'the set is immutable',
          }),
          grows: checked(list(short), { rule: 'oldSelf.all(x, x in self)', message: 'may only grow' }),
          rows: list(row, keyed),
          table: map(row),
          once: checked(integer, {
            rule: 'oldSelf.hasValue() || self == 1',
            optionalOldSelf: true,
            message: 'must start at 1',
          }),
          step: checked(integer, {
            rule: 'self - oldSelf.orValue(0) <= 1',
            optionalOldSelf: true,
            messageExpression: '"a step from %d to %d".format([oldSelf.orValue(0), self])',
          }),
          phase: checked(
            { type: 'string', enum: ['A', 'B', 'C'] },
            {
              rule: '!(oldSelf == "C" && self != "C")',
              reason: 'FieldValueForbidden',
              message: 'C is final',
            },
          ),
          both: checked(
            integer,
            { rule: 'self > 0', message: 'must be positive' },
            { rule: 'self != oldSelf + 1', message: 'not one more' },
          ),
          other: string,
        }),
        { rule: 'has(oldSelf.fixed) == has(self.fixed)', message: 'fixed may not come or go' },
        { rule: 'oldSelf.?other.orValue("") != "locked"', message: 'is locked' },
      ),
    }),
  );
  const old = {
    fixed: 'a',
    fixedRows: [
      { name: 'p', n: 1 },
      { name: 'q', n: 2 },
    ],
    fixedSet: ['v', 'w'],
    grows: ['x'],
    rows: [
      { name: 'r', n: 2 },
      { name: 's', n: 5 },
    ],
    table: { k: { name: 't', n: 3 } },
    once: 1,
    step: 1,
    phase: 'C',
    both: 1,
  };
  await w.create('transition rules do not run on create', 'a', { spec: old });
  const quick = { pick: (b) => b.metadata.generation };
  for (const [label, change] of [
    ['an immutable field that stays', { fixed: 'a', other: 'x' }],
    ['an immutable field that changes', { fixed: 'b' }],
    ['an immutable field that is removed: a rule of its parent', { fixed: null }],
    [
      'a keyed list is equal in another order',
      {
        fixedRows: [
          { name: 'q', n: 2 },
          { name: 'p', n: 1 },
        ],
      },
    ],
    [
      'a keyed list with another value',
      {
        fixedRows: [
          { name: 'q', n: 2 },
          { name: 'p', n: 3 },
        ],
      },
    ],
    ['a set is equal in another order', { fixedSet: ['w', 'v'] }],
    ['a set with another item', { fixedSet: ['w', 'v', 'u'] }],
    ['a list that grows', { grows: ['y', 'x'] }],
    ['a list that loses an item', { grows: ['y'] }],
    [
      'an item of a keyed list, found again by its key',
      {
        rows: [
          { name: 's', n: 5 },
          { name: 'r', n: 3 },
        ],
      },
    ],
    [
      'an item of a keyed list that shrinks',
      {
        rows: [
          { name: 's', n: 4 },
          { name: 'r', n: 3 },
        ],
      },
    ],
    [
      'a new item has no old self',
      {
        rows: [
          { name: 's', n: 5 },
          { name: 'q', n: -3 },
        ],
      },
    ],
    ['a value of a map, found again by its key', { table: { k: { name: 't', n: 1 } } }],
    ['a new value of a map', { table: { k: null, l: { name: 't', n: 0 } } }],
    ['an optional old self on update', { once: 7 }],
    ['an optional old self that fails with its message expression', { step: 5 }],
    ['a transition that is refused with a reason', { phase: 'A' }],
    ['the rule without oldSelf of a field with both', { both: -4 }],
    ['the rule with oldSelf of a field with both', { both: 2 }],
  ])
    await w.patch(label, 'a', { spec: change }, quick);
  await w.replace('an update by PUT', 'a', (o) => {
    o.spec.fixed = 'c';
  });
  await w.apply('an update by apply', 'a', { spec: { fixed: 'd' } }, { query: '&force=true' });
  for (const [label, change] of [
    ['the last change', { other: 'locked' }],
    ['a rule that looks only at the old self', { other: 'free' }],
  ])
    await w.patch(label, 'a', { spec: change }, quick);
  await w.create('an optional old self on create that holds', 'b', { spec: { once: 1 } });
  await w.create('an optional old self on create that does not', 'c', { spec: { once: 2 } });
}

export async function celMessages(t) {
  const rule = (extra) => checked(integer, { rule: 'self > 5', ...extra });
  const text = (extra) => checked(short, { rule: 'self == "ok"', ...extra });
  const w = await install(
    t,
    'cel-messages',
    object({
      spec: object({
        plain: rule({}),
        message: rule({ message: 'must be above 5' }),
        spaces: rule({ message: '  must be above 5  ' }),
        lines: checked(integer, { rule: 'self >\n 5', message: 'must be above 5' }),
        expression: rule({ messageExpression: '"got %d".format([self])' }),
        both: rule({ message: 'the message', messageExpression: '"the expression for %d".format([self])' }),
        empty: text({ message: 'falls back', messageExpression: 'self.replace("x", "")' }),
        broken: rule({ message: 'falls back', messageExpression: '"%d".format([1 / (self - self)])' }),
        newline: text({ messageExpression: '"a\\nb"' }),
        invalid: rule({ reason: 'FieldValueInvalid' }),
        forbidden: rule({ reason: 'FieldValueForbidden', message: 'is forbidden' }),
        required: rule({ reason: 'FieldValueRequired', message: 'is required' }),
        duplicate: rule({ reason: 'FieldValueDuplicate', message: 'is a duplicate' }),
        text: text({ message: 'not ok' }),
        list: checked(list(integer), { rule: 'self.size() > 1', message: 'too few' }),
        fraction: checked(number, { rule: 'self > 1.0' }),
        flag: checked({ type: 'boolean' }, { rule: 'self' }),
        path: checked(
          object({ a: integer, b: object({ 'c-d': integer }), m: map(integer) }),
          { rule: '!has(self.a) || self.a > 0', fieldPath: '.a', message: 'a must be positive' },
          {
            rule: '!has(self.b) || self.b.c__dash__d > 0',
            fieldPath: '.b.c-d',
            message: 'c-d must be positive',
            reason: 'FieldValueForbidden',
          },
          {
            rule: '!has(self.m) || self.m.k > 0',
            fieldPath: ".m['k']",
            message: 'k must be positive',
            reason: 'FieldValueRequired',
          },
          { rule: '!has(self.m) || size(self.m) < 2', fieldPath: '.m', message: 'too many' },
        ),
        two: checked(
          integer,
          { rule: 'self > 5', message: 'first' },
          { rule: 'self > 3', message: 'second' },
        ),
      }),
    }),
  );
  await w.tries([
    ['no message: the rule itself', { plain: 1 }],
    ['a message', { message: 1 }],
    ['spaces around a message', { spaces: 1 }],
    ['a rule with a line break', { lines: 1 }],
    ['a message expression', { expression: 1 }],
    ['a message and a message expression', { both: 1 }],
    ['a message expression that gives an empty string', { empty: 'x' }],
    ['a message expression that fails', { broken: 1 }],
    ['a message expression with a line break', { newline: 'x' }],
    ['the reason FieldValueInvalid', { invalid: 1 }],
    ['the reason FieldValueForbidden', { forbidden: 1 }],
    ['the reason FieldValueRequired', { required: 1 }],
    ['the reason FieldValueDuplicate', { duplicate: 1 }],
    ['a string that fails', { text: 'x "y"' }],
    ['a list that fails', { list: [1] }],
    ['a fraction that fails', { fraction: 0.25 }],
    ['a boolean that fails', { flag: false }],
    ['a field path', { path: { a: 0 } }],
    ['a field path with a dash', { path: { b: { 'c-d': 0 } } }],
    ['a field path to a key of a map', { path: { m: { k: 0 } } }],
    ['a field path to a map', { path: { m: { k: 1, l: 2 } } }],
    ['one of two rules fails', { two: 4 }],
    ['both rules fail, in the order of the schema', { two: 1 }],
  ]);
}

export async function celErrors(t) {
  await rules(t, 'cel-errors', [
    [map(integer), 'self["a"] > 0', [{ a: 1 }], [{ b: 1 }]],
    [object({ a: integer }), 'self.a > 0', [{ a: 1 }], [{}]],
    [object({ a: object({ b: integer }) }), 'has(self.a.b)', [{ a: { b: 0 } }], [{}]],
    [list(integer), 'self[1] > 0', [[0, 1]], [[1]]],
    [list(integer), 'self[-1] > 0', [], [[1]]],
    [integer, '10 / self == 2', [5], [0]],
    [integer, '10 % self == 1', [3], [0]],
    [number, '1.0 / self > 0.0', [0], [-1]],
    [integer, 'self + 9223372036854775807 > 0', [0], [1]],
    [integer, 'self * 9223372036854775807 > 0', [1], [2]],
    [integer, '-self > 0', [-1]],
    [integer, 'uint(self) > 0u', [1], [-1]],
    [short, 'int(self) > 0', ['1'], ['x', '', '1.5', '9223372036854775808']],
    [short, 'double(self) > 0.0', ['1e3'], ['x']],
    [short, 'bool(self)', ['true', '1'], ['maybe']],
    [short, 'duration(self) > duration("1s")', ['2s'], ['x']],
    [short, 'timestamp(self) > timestamp("2020-01-01T00:00:00Z")', ['2021-01-01T00:00:00Z'], ['yesterday']],
    [short, '"abc".matches(self)', ['^a'], ['(']],
    [short, 'quantity(self).isInteger()', ['5'], ['x']],
    [short, 'url(self).getHost() == "a"', ['http://a/'], ['a b']],
    [short, 'ip(self).family() == 4', ['10.0.0.1'], ['x']],
    [short, 'self.substring(3) == "d"', ['abcd'], ['ab']],
    [either, 'self > 5', [6], ['6']],
    [either, 'self.startsWith("a")', ['ab'], [5]],
    // An error on one side of && or || does not matter when the other side decides.
    [integer, '10 / self > 0 || self == 0', [0]],
    [integer, 'self == 0 || 10 / self > 0', [0]],
    [integer, '10 / self > 0 && self != 0', [5], [0]],
    [list(integer), 'self.exists(x, 10 / x == 5)', [[0, 2]], [[0, 1]]],
    [
      list(integer),
      'self.all(x, 10 / x == 5)',
      [[2]],
      [
        [0, 1],
        [0, 2],
      ],
    ],
  ]);
}

export async function celBudget(t) {
  // n items cost n * n steps: few items are cheap, the most that the schema takes are far beyond the limit of
  // one rule.
  const square = { rule: 'self.all(x, self.all(y, x + y >= 0))', message: 'sums must not be negative' };
  const many = (maxItems, ...checks) => checked({ type: 'array', maxItems, items: integer }, ...checks);
  const items = (n) => Array.from({ length: n }, () => 1);
  const w = await install(
    t,
    'cel-budget',
    object({
      spec: object({
        one: many(1000, square),
        several: many(500, ...Array.from({ length: 16 }, () => square)),
        plain: many(1000, { rule: 'self.size() < 2000' }),
      }),
    }),
  );
  await w.create(
    'a rule within its limit',
    'cheap',
    { spec: { one: items(20) } },
    { pick: (b) => b.spec.one.length },
  );
  await w.create('a rule beyond the limit of one call', 'dear', { spec: { one: items(1000) } });
  // Each of the sixteen stays under its own limit, but not all of them together under that of the object.
  await w.create('rules that are beyond the budget together', 'together', { spec: { several: items(340) } });
  await w.create(
    'a cheap rule over as many items',
    'plain',
    { spec: { plain: items(1000) } },
    { pick: (b) => b.spec.plain.length },
  );
}

export async function celRefused(t) {
  const rows = list(object({ n: integer }));
  const cases = [
    ['an identifier that does not exist', integer, { rule: 'other > 1' }],
    ['a field that does not exist', object({ a: integer }), { rule: 'self.b > 1' }],
    ['a rule that is not a boolean', integer, { rule: 'self + 1' }],
    ['a rule that does not parse', integer, { rule: 'self >' }],
    ['an empty rule', integer, { rule: ' ' }],
    ['an operator between types that do not match', integer, { rule: 'self == "a"' }],
    ['a function that does not exist', short, { rule: 'self.shout() == ""' }],
    ['a keyword that is not escaped', object({ in: short }), { rule: 'self.in == ""' }],
    [
      'a field that the schema preserves but does not name',
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      { rule: 'self.any == 1' },
    ],
    ['a regular expression that does not compile', short, { rule: 'self.matches("(")' }],
    ['a duration that does not parse', short, { rule: 'duration(self) < duration("x")' }],
    ['a list of mixed types', short, { rule: 'self in ["a", 1]' }],
    ['a message with a line break', integer, { rule: 'self > 0', message: 'a\nb' }],
    ['a message expression that is not a string', integer, { rule: 'self > 0', messageExpression: 'self' }],
    [
      'a message expression that does not compile',
      integer,
      { rule: 'self > 0', messageExpression: 'nothing' },
    ],
    ['a reason that does not exist', integer, { rule: 'self > 0', reason: 'FieldValueOdd' }],
    ['a field path to nowhere', object({ a: integer }), { rule: 'true', fieldPath: '.b' }],
    ['a field path without a dot', object({ a: integer }), { rule: 'true', fieldPath: 'a' }],
    ['a field path into a list', object({ a: rows }), { rule: 'true', fieldPath: '.a[0]' }],
    [
      'an old self in an item of an atomic list',
      { type: 'array', items: checked(integer, 'self >= oldSelf') },
      { rule: 'true' },
    ],
    ['an optional old self without an old self', integer, { rule: 'self > 0', optionalOldSelf: true }],
    [
      'a rule that may cost too much',
      { type: 'array', items: string },
      { rule: 'self.all(x, self.all(y, x.contains(y)))' },
    ],
    [
      'a rule over a list that has no bound',
      { type: 'array', items: checked(string, 'self.contains("a")') },
      { rule: 'true' },
    ],
    [
      'metadata of an embedded resource other than its names',
      object({}, { 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true }),
      { rule: 'has(self.metadata.labels)' },
    ],
  ];
  for (const [label, schema, rule] of cases) {
    const body = crd('schemas-cel-refused.conf.example.com', 'Odd', {
      versions: [{ name: 'v1', schema: object({ spec: checked(schema, rule) }) }],
    });
    const keep =
      /compilation failed: ERROR: .*|Unsupported value: .*|is not a valid path: .*|must be .*|estimated rule cost [^(]*/;
    await refusal(t, label, 'POST', `${CRDS}?dryRun=All`, { body, keep });
  }
}
