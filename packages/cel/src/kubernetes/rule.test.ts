import { describe, expect, it } from 'vitest';
import { perCallLimit } from './limits.ts';
import { messageOf } from './message.ts';
import { RuleScope, type RuleSource, runExpression } from './rule.ts';
import { declareType } from './schema/declared-type.ts';
import type { SchemaNode } from './schema/schema-node.ts';

const integer: SchemaNode = { type: 'integer' };
const string: SchemaNode = { type: 'string' };
const object = (properties: Record<string, SchemaNode>, more: SchemaNode = {}): SchemaNode => ({
  type: 'object',
  properties,
  ...more,
});
const list = (items: SchemaNode, more: SchemaNode = {}): SchemaNode => ({ type: 'array', items, ...more });

const scopeOf = (schema: SchemaNode, root = false) => new RuleScope(declareType(schema, root)!);
const compiled = (schema: SchemaNode, rule: string, more: Partial<RuleSource> = {}) =>
  scopeOf(schema).compile({ rule, ...more });

function run(schema: SchemaNode, rule: string, raw: unknown, root = false) {
  const scope = scopeOf(schema, root);
  const { rule: expression, error } = scope.compile({ rule });
  if (expression === undefined) throw new Error(error);
  return runExpression(expression, { self: scope.read(raw) });
}

const holds = (schema: SchemaNode, rule: string, raw: unknown) => {
  const outcome = run(schema, rule, raw);
  return outcome.error ?? outcome.value;
};

describe('compile', () => {
  it('refuses type errors with the texts of the API server', () => {
    expect(compiled(integer, 'nobody > 1').error).toBe(
      "compilation failed: ERROR: <input>:1:1: undeclared reference to 'nobody' (in container '')\n | nobody > 1\n | ^",
    );
    expect(compiled(object({ a: integer }), 'self.b > 1').error).toContain(
      "ERROR: <input>:1:5: undefined field 'b'",
    );
    expect(compiled(integer, 'self == "a"').error).toContain(
      "found no matching overload for '_==_' applied to '(int, string)'",
    );
    expect(compiled(integer, 'self + 1').error).toBe('cel expression must evaluate to a bool');
    expect(compiled(string, 'self in ["a", 1]').error).toContain("expected type 'string' but found 'int'");
    expect(compiled(string, 'self.matches("(")').error).toContain(
      'ERROR: <input>:1:14: invalid matches argument',
    );
    expect(compiled(string, 'self.find("(") == ""').error).toBe(
      'program instantiation failed: error parsing regexp: missing closing ): `(`',
    );
  });

  it('does not support fields in backticks yet', () => {
    expect(compiled(object({ a: integer }), 'self.`a` == 1').error).toContain(
      "ERROR: <input>:1:6: unsupported syntax: '`'",
    );
  });

  it('ignores a blank rule', () => {
    expect(compiled(integer, '  ')).toMatchObject({ rule: undefined, error: undefined, usesOldSelf: false });
  });

  it('compiles the expression of a message, which must be a string', () => {
    expect(
      compiled(integer, 'self > 0', { messageExpression: '"got " + string(self)' }).messageExpression,
    ).toBeDefined();
    expect(compiled(integer, 'self > 0', { messageExpression: 'self' }).messageExpressionError).toBe(
      'messageExpression must evaluate to a string',
    );
    expect(compiled(integer, 'self > 0', { messageExpression: 'x' }).messageExpressionError).toMatch(
      /^messageExpression compilation failed: ERROR/,
    );
  });

  it('recognizes transition rules', () => {
    expect(compiled(integer, 'self >= oldSelf').usesOldSelf).toBe(true);
    expect(compiled(object({ oldSelf: integer }), 'self.oldSelf > 0').usesOldSelf).toBe(false);
    expect(compiled(list(integer), 'self.all(oldSelf, oldSelf > 0)').usesOldSelf).toBe(false);
    expect(compiled(integer, 'oldSelf.orValue(self) <= self', { optionalOldSelf: true }).error).toBe(
      undefined,
    );
    expect(compiled(integer, 'oldSelf.orValue(self) <= self').error).toContain(
      "found no matching overload for 'orValue'",
    );
  });

  it('refuses access to metadata of a resource other than its names', () => {
    const root = object({ spec: object({ n: integer }) });
    expect(scopeOf(root, true).compile({ rule: 'has(self.metadata.labels)' }).error).toContain(
      "undefined field 'labels'",
    );
  });
});

describe('run', () => {
  it('passes the old value, or none', () => {
    const scope = scopeOf(integer);
    const plain = scope.compile({ rule: 'self >= oldSelf' }).rule!;
    expect(runExpression(plain, { self: scope.read(2), oldSelf: scope.read(1) }).value).toBe(true);
    const optional = scope.compile({
      rule: 'oldSelf.hasValue() ? self == oldSelf.value() : self == 1',
      optionalOldSelf: true,
    }).rule!;
    expect(runExpression(optional, { self: scope.read(1), optionalOldSelf: true }).value).toBe(true);
    expect(
      runExpression(optional, { self: scope.read(2), oldSelf: scope.read(3), optionalOldSelf: true }).value,
    ).toBe(false);
  });

  it('finds fields under their escaped names', () => {
    const schema = object({ 'my-field': integer, namespace: string });
    expect(
      holds(schema, 'self.my__dash__field == 1 && self.__namespace__ == "a"', {
        'my-field': 1,
        namespace: 'a',
      }),
    ).toBe(true);
    expect(holds(schema, 'self.namespace == "a"', { namespace: 'a' })).toBe(true);
  });

  it('treats null as absent', () => {
    const schema = object({ maybe: { type: 'integer', nullable: true } });
    expect(holds(schema, '!has(self.maybe)', { maybe: null })).toBe(true);
    expect(holds(schema, 'self.maybe > 0', { maybe: null })).toBe('no such key: maybe');
    expect(holds(schema, 'self.?maybe.orValue(7) == 7', { maybe: null })).toBe(true);
  });

  it('distinguishes the types of an int-or-string', () => {
    const either: SchemaNode = { 'x-kubernetes-int-or-string': true };
    const rule = 'type(self) == int ? self < 10 : self.endsWith("%")';
    expect([9, '50%', 10, '50'].map((raw) => holds(either, rule, raw))).toEqual([true, true, false, false]);
    expect(holds(either, 'self > 5', 'x')).toMatch(/^no such overload/);
  });

  it('reads formats as their own types', () => {
    expect(
      holds(
        { type: 'string', format: 'duration' },
        'self < duration("1h") && self.getSeconds() == 90',
        '1m30s',
      ),
    ).toBe(true);
    expect(holds({ type: 'string', format: 'date' }, 'self.getFullYear() == 2024', '2024-02-29')).toBe(true);
    expect(holds({ type: 'string', format: 'byte' }, 'self == b"hello"', 'aGVsbG8=')).toBe(true);
  });

  it('compares and adds lists of type set as sets', () => {
    const set = list(string, { 'x-kubernetes-list-type': 'set' });
    expect(
      holds(object({ a: set, b: set }), 'self.a == self.b && self.a + ["x", "z"] == ["z", "y", "x"]', {
        a: ['x', 'y'],
        b: ['y', 'x'],
      }),
    ).toBe(true);
  });

  it('compares and adds lists of type map by their keys', () => {
    const rows = list(object({ k: string, n: integer }), {
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    });
    const raw = [[{ k: 'x', n: 1 }, { k: 'y' }], [{ k: 'y' }, { k: 'x', n: 1 }], [{ k: 'x', n: 2 }]];
    expect(
      holds(list(rows), 'self[0] == self[1] && self[0] != self[2] && (self[0] + self[2])[0].n == 2', raw),
    ).toBe(true);
  });

  it('can access the type and the name of a resource', () => {
    const root = object({ spec: object({ n: integer }) });
    const raw = { apiVersion: 'a/v1', kind: 'K', metadata: { name: 'x', labels: {} } };
    expect(
      run(
        root,
        'self.kind == "K" && self.apiVersion == "a/v1" && self.metadata.name == "x" && !has(self.spec)',
        raw,
        true,
      ).value,
    ).toBe(true);
  });

  it('stops at the limit of one call', () => {
    const many = Array.from({ length: 1000 }, () => 1);
    const outcome = run(list(integer), 'self.all(x, self.all(y, x + y >= 0))', many);
    expect(outcome.error).toBe('operation cancelled: actual cost limit exceeded');
    expect(outcome.cost).toBeGreaterThan(perCallLimit);
    expect(run(list(integer), 'self.all(x, self.all(y, x + y >= 0))', many.slice(0, 20)).value).toBe(true);
  });

  it('stops at a deadline', () => {
    const scope = scopeOf(list(integer));
    const { rule } = scope.compile({ rule: 'self.all(x, self.all(y, x + y >= 0))' });
    const self = scope.read(Array.from({ length: 300 }, () => 1));
    expect(runExpression(rule!, { self, deadline: Date.now() - 1 }).error).toBe('operation interrupted');
  });
});

describe('messageOf', () => {
  it('accepts one line that is neither empty nor too long', () => {
    const outcome = (value: string) => ({ value, error: undefined, cost: 1 });
    expect(messageOf(outcome(' not so '))).toBe('not so');
    expect(messageOf(outcome('a\nb'))).toBe(undefined);
    expect(messageOf(outcome('  '))).toBe(undefined);
    expect(messageOf(outcome('é'.repeat(2561)))).toBe(undefined);
    expect(messageOf({ value: undefined, error: 'division by zero', cost: 1 })).toBe(undefined);
  });
});

describe('cost', () => {
  const bounded = (maxLength: number): SchemaNode => ({ type: 'string', maxLength });
  const estimate = (schema: SchemaNode, rule: string) => compiled(schema, rule).rule!.maxCost;
  const spent = (schema: SchemaNode, rule: string, raw: unknown) => run(schema, rule, raw).cost;

  it('is estimated from the bounds of the schema', () => {
    expect(estimate(bounded(10), 'isIP(self)')).toBe(1 + 4);
    expect(estimate(bounded(10), 'self.contains("abc")')).toBe(1 + 4 * 1);
    expect(estimate(bounded(10), 'self.lowerAscii().size() > 0')).toBe(1 + 4 + 2);
    expect(estimate(bounded(10), '!format.uri().validate(self).hasValue()')).toBe(1 + 1 + 4 * 32 + 1 + 1);
    expect(estimate(list(bounded(5), { maxItems: 7 }), 'self.isSorted()')).toBe(1 + 7 * (1 + 2));
    expect(estimate(list(integer, { maxItems: 7 }), 'self.sum() > 1')).toBe(1 + 7 + 1);
    expect(estimate(string, 'self.contains(self)')).toBeGreaterThan(10_000_000);
  });

  it('is counted at run time', () => {
    expect(spent(string, 'isIP(self)', '10.0.0.1')).toBe(1 + 1);
    expect(spent(string, 'quantity(self).isInteger()', '12345678901')).toBe(1 + 2 + 1);
    expect(spent(string, 'cidr("10.0.0.0/8").containsIP(self)', '10.0.0.1')).toBe(1 + 1 + 1 + 1);
    expect(spent(string, 'self.split(",").size() == 2', 'a,b')).toBe(1 + 1 + 1 + 1);
    expect(spent(list(string), 'self.isSorted()', ['a'.repeat(10), 'b'.repeat(25)])).toBe(1 + 1 + 2);
    expect(spent(object({ a: integer }), 'has(self.a)', { a: 1 })).toBe(1);
  });

  it('is not spent on authorization: rules have no authorizer', () => {
    expect(compiled(string, 'authorizer.path(self).check("get").allowed()').error).toContain(
      "undeclared reference to 'authorizer'",
    );
  });

  it('is multiplied by how often a value can occur', () => {
    expect(scopeOf(integer).maxCardinality).toBe(Math.floor((3 * 1024 * 1024) / 2));
    expect(scopeOf(object({ a: string }, { required: ['a'] })).maxCardinality).toBe(
      Math.floor((3 * 1024 * 1024) / 10),
    );
  });
});

describe('an object whose type the rule does not know', () => {
  const schema = object({ a: integer, 'b-c': string, n: { ...integer, nullable: true } });
  const raw = { a: 1, 'b-c': 'x', n: null };
  const rules = [
    '"a" in dyn(self) && "b__dash__c" in dyn(self) && !("b-c" in dyn(self)) && !("n" in dyn(self))',
    'size(dyn(self)) == 3',
    'type(self) == map && type(dyn(self)) == map',
    'dyn(self).all(k, k in ["a", "b__dash__c"])',
    'dyn(self) != {"a": 1}',
    'optional.ofNonZeroValue(self).hasValue()',
  ];
  for (const rule of rules) it(`is a map: ${rule}`, () => expect(holds(schema, rule, raw)).toBe(true));

  it('equals a map with the same entries, on either side', () => {
    for (const rule of ['dyn(self) == {"a": 1}', '{"a": 1} == dyn(self)'])
      expect(holds(object({ a: integer }), rule, { a: 1 })).toBe(true);
  });
});
