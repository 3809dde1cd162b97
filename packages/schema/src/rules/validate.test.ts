import { fieldErrorMessage, type JsonObject } from '@instar/machinery';
import { describe, expect, it } from 'vitest';
import { compileSchema } from '../compile.ts';
import type { JSONSchemaProps, ValidationRule } from '../json-schema-props.ts';
import type { ValidateOptions } from '../schema.ts';

const integer: JSONSchemaProps = { type: 'integer' };
const checked = (schema: JSONSchemaProps, ...rules: ValidationRule[]): JSONSchemaProps => ({
  ...schema,
  'x-kubernetes-validations': rules,
});
const object = (properties: Record<string, JSONSchemaProps>): JSONSchemaProps => ({
  type: 'object',
  properties,
});

function messages(schema: JSONSchemaProps, given: JsonObject, options?: ValidateOptions): string[] {
  return compileSchema(schema).validate(given, options).map(fieldErrorMessage);
}

describe('rules', () => {
  it('are named when broken, with the value of scalars only', () => {
    const schema = object({
      a: checked(integer, { rule: 'self > 1' }),
      b: checked(object({ n: integer }), { rule: 'self.n > 1', message: ' too small ' }),
    });
    expect(messages(schema, { a: 0, b: { n: 0 } })).toEqual([
      'a: Invalid value: 0: failed rule: self > 1',
      'b: Invalid value: too small',
    ]);
    expect(messages(schema, { a: 2, b: { n: 2 } })).toEqual([]);
  });

  it('report with their own fieldPath, reason and message', () => {
    const rule = {
      rule: 'self.n > 1',
      fieldPath: '.n',
      reason: 'FieldValueForbidden',
      messageExpression: '"%d is too small".format([self.n])',
    };
    expect(messages(object({ b: checked(object({ n: integer }), rule) }), { b: { n: 0 } })).toEqual([
      'b.n: Forbidden: 0 is too small',
    ]);
  });

  it('fall back to the message when messageExpression fails', () => {
    const rule = { rule: 'self > 1', message: 'plain', messageExpression: 'string(1 / (self - self))' };
    expect(messages(object({ a: checked(integer, rule) }), { a: 0 })).toEqual(['a: Invalid value: 0: plain']);
  });

  it('can use the name of a resource', () => {
    const schema = checked(object({}), { rule: 'self.metadata.name != "bad"', message: 'bad name' });
    expect(messages(schema, { metadata: { name: 'bad' } })).toEqual(['<nil>: Invalid value: bad name']);
  });

  it('report keys of maps and indexes of lists', () => {
    const positive = checked(integer, { rule: 'self > 0' });
    const schema = object({
      table: { type: 'object', additionalProperties: positive },
      rows: { type: 'array', items: positive },
    });
    expect(messages(schema, { table: { 'a.b': 0 }, rows: [1, 0] })).toEqual([
      'table[a.b]: Invalid value: 0: failed rule: self > 0',
      'rows[1]: Invalid value: 0: failed rule: self > 0',
    ]);
  });

  it('do not run on objects with structural errors, also earlier ones', () => {
    const schema = object({ a: checked(integer, { rule: 'self > 1' }), b: { type: 'string', enum: ['x'] } });
    const heldBack = expect.stringContaining(
      'some validation rules were not checked because the object was invalid',
    );
    expect(messages(schema, { a: 0, b: 'y' })).toEqual([
      expect.stringContaining('b: Unsupported value'),
      heldBack,
    ]);
    expect(
      messages(
        schema,
        { a: 0 },
        { earlierErrors: [{ type: 'FieldValueRequired', field: 'metadata.name', detail: '' }] },
      ),
    ).toEqual([heldBack]);
    expect(
      messages(object({ a: checked(integer, { rule: 'self > 1' }), b: { type: 'string', minLength: 2 } }), {
        a: 0,
        b: 'y',
      }),
    ).toHaveLength(2);
  });

  it('report why they failed to run', () => {
    const rule = { rule: 'int(self) > 0', message: 'must be a number' };
    expect(messages(object({ a: checked({ type: 'string' }, rule) }), { a: 'x' })).toEqual([
      "a: Invalid value: \"string\": type conversion error from 'string' to 'int' evaluating rule: must be a number",
    ]);
  });

  it('can be disabled', () => {
    const schema = compileSchema(object({ a: checked(integer, { rule: 'self > 1' }) }), { rules: false });
    expect(schema.validate({ a: 0 })).toEqual([]);
  });
});

describe('transition rules', () => {
  const schema = object({
    step: checked(integer, { rule: 'self <= oldSelf', message: 'may not grow' }),
    once: checked(integer, {
      rule: 'oldSelf.hasValue() || self == 1',
      optionalOldSelf: true,
      message: 'must start at 1',
    }),
    rows: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: object({
        name: { type: 'string' },
        size: checked(integer, { rule: 'self >= oldSelf', message: 'may not shrink' }),
      }),
    },
  });

  it('run only with an old value, unless that is optional', () => {
    expect(messages(schema, { step: 5, once: 2 })).toEqual(['once: Invalid value: 2: must start at 1']);
    expect(messages(schema, { step: 5, once: 2 }, { old: { step: 4, once: 1 } })).toEqual([
      'step: Invalid value: 5: may not grow',
    ]);
    expect(messages(schema, { step: 5 }, { old: {} })).toEqual([]);
  });

  it('correlate items by key', () => {
    const old = {
      rows: [
        { name: 'a', size: 5 },
        { name: 'b', size: 1 },
      ],
    };
    expect(
      messages(
        schema,
        {
          rows: [
            { name: 'b', size: 2 },
            { name: 'a', size: 4 },
            { name: 'c', size: 0 },
          ],
        },
        { old },
      ),
    ).toEqual(['rows[1].size: Invalid value: 4: may not shrink']);
  });
});

describe('ratcheting', () => {
  const schema = object({
    note: { type: 'string' },
    size: checked(integer, { rule: 'self <= 10', message: 'too large' }),
  });

  it('turns rules that an unchanged value breaks into warnings', () => {
    const warnings: string[] = [];
    const warn = (text: string) => warnings.push(text);
    expect(messages(schema, { size: 99, note: 'x' }, { old: { size: 99 }, warn })).toEqual([]);
    expect(warnings).toEqual(['size: Invalid value: 99: too large']);
    expect(messages(schema, { size: 98 }, { old: { size: 99 }, warn })).toEqual([
      'size: Invalid value: 98: too large',
    ]);
    expect(messages(schema, { size: 99 }, { old: { size: 99 }, ratchet: false })).toHaveLength(1);
  });
});

describe('budgets', () => {
  const numbers = Array.from({ length: 1500 }, (_, index) => index);
  const list = (rule: string, ...more: ValidationRule[]): JSONSchemaProps =>
    object({ a: checked({ type: 'array', items: integer }, { rule, message: 'dear' }, ...more) });

  it('stop a single rule that costs too much', () => {
    const rule = 'self.all(x, self.all(y, x + y >= 0))';
    expect(messages(list(rule), { a: numbers })).toEqual([
      'a: Invalid value: "array": \'operation cancelled: actual cost limit exceeded\': no further validation rules will be run due to call cost exceeds limit for rule: dear',
    ]);
  });

  it('stop all rules when their total cost is too high', () => {
    const rule = 'self.all(x, self.all(y, x + y >= 0))';
    const many = Array.from({ length: 30 }, () => ({ rule }));
    expect(messages(list(rule, ...many), { a: numbers.slice(0, 300) })).toEqual([
      'a: Invalid value: "array": validation failed due to running out of cost budget, no further validation rules will be run',
    ]);
  });
});
