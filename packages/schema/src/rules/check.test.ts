import { FieldPath, fieldErrorMessage } from '@instar/machinery';
import { describe, expect, it } from 'vitest';
import type { JSONSchemaProps, ValidationRule } from '../json-schema-props.ts';
import { checkRules } from './check.ts';
import { normalFieldPath } from './field-path.ts';
import { ruleTextViolations } from './texts.ts';

const string: JSONSchemaProps = { type: 'string' };
const at = (value: JSONSchemaProps, ...rules: ValidationRule[]): JSONSchemaProps => ({
  type: 'object',
  properties: { v: { ...value, 'x-kubernetes-validations': rules } },
});
const messages = (schema: JSONSchemaProps): string[] =>
  checkRules(schema, FieldPath.of('s')).map(fieldErrorMessage);

describe('checkRules', () => {
  it('accepts rules that compile and are cheap', () => {
    expect(
      messages(at({ ...string, maxLength: 10 }, { rule: 'self != ""', messageExpression: '"not " + self' })),
    ).toEqual([]);
  });

  it('shows the rule that does not compile as Go prints it', () => {
    expect(messages(at(string, { rule: 'this > 0' }))).toEqual([
      's.properties[v].x-kubernetes-validations[0].rule: Invalid value: {"Rule":"this \\u003e 0","Message":"","MessageExpression":"","Reason":null,' +
        '"FieldPath":"","OptionalOldSelf":null}: compilation failed: ERROR: <input>:1:1: undeclared reference to \'this\' (in container \'\')\n | this > 0\n | ^',
    ]);
  });

  it('refuses rules that can cost too much by name', () => {
    const dear: JSONSchemaProps = { type: 'array', items: { type: 'array', items: string } };
    expect(messages(at(dear, { rule: 'self.all(x, x.all(y, self.all(z, y in z)))' }))).toEqual([
      expect.stringContaining(
        's.properties[v].x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x (try',
      ),
      's.properties[v].x-kubernetes-validations[0].rule: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema',
      expect.stringContaining(
        's: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget',
      ),
    ]);
  });

  it('refuses transition rules where values cannot be correlated', () => {
    const items: JSONSchemaProps = {
      type: 'integer',
      'x-kubernetes-validations': [{ rule: 'self >= oldSelf' }],
    };
    const schema: JSONSchemaProps = {
      type: 'object',
      properties: { v: { type: 'array', maxItems: 3, items } },
    };
    expect(messages(schema)).toEqual([
      's.properties[v].items.x-kubernetes-validations[0].rule: Invalid value: "self >= oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within s.properties[v]',
    ]);
    expect(messages(at(string, { rule: 'true', optionalOldSelf: false }))).toEqual([
      's.properties[v].x-kubernetes-validations[0].optionalOldSelf: Invalid value: false: may not be set if oldSelf is not used in rule',
    ]);
  });
});

describe('normalFieldPath', () => {
  const schema: JSONSchemaProps = {
    type: 'object',
    properties: {
      a: { type: 'object', properties: { 'b.c': string } },
      m: { type: 'object', additionalProperties: string },
    },
  };

  it.each([
    ['.a', 'a'],
    [".a['b.c']", 'a.b.c'],
    ['.m.key', 'm[key]'],
    [".m['it\\'s']", "m[it's]"],
  ])('%s', (path, normal) => {
    expect(normalFieldPath(path, schema)).toBe(normal);
  });

  it.each(['a', '.b', '.', '.a[0]', "['a", ".m['\\q']", '.a.b.c'])('refuses %s', (path) => {
    expect(normalFieldPath(path, schema)).toBeUndefined();
  });
});

it('ruleTextViolations', () => {
  const schema = at(
    string,
    { rule: ' ' },
    { rule: 'a\nb' },
    { rule: 'a', message: 'b\nc', reason: 'Odd' },
    { rule: 'a', messageExpression: ' ', fieldPath: 'x' },
  );
  expect(ruleTextViolations(schema.properties!['v']!, FieldPath.of('s')).map(({ field }) => field)).toEqual([
    's.x-kubernetes-validations[0].rule',
    's.x-kubernetes-validations[1].message',
    's.x-kubernetes-validations[2].message',
    's.x-kubernetes-validations[2].reason',
    's.x-kubernetes-validations[3].messageExpression',
    's.x-kubernetes-validations[3].fieldPath',
  ]);
});
