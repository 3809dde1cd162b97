import { fieldErrorMessage, type JsonObject } from '@instar/machinery';
import { expect, it } from 'vitest';
import { compileSchema } from '../compile.ts';
import type { JSONSchemaProps } from '../json-schema-props.ts';

const row: JSONSchemaProps = {
  type: 'object',
  properties: { name: { type: 'string' }, size: { type: 'integer', maximum: 10 }, note: { type: 'string' } },
};
const schema = compileSchema({
  type: 'object',
  required: ['must'],
  properties: {
    must: { type: 'string' },
    mode: { type: 'string', enum: ['a'] },
    keyed: {
      type: 'array',
      items: row,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    },
    plain: { type: 'array', items: row },
    all: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      allOf: [{ properties: { a: { maxLength: 3 } } }],
    },
  },
});
const bad = { name: 'bad', size: 99 };
const good = { name: 'good', size: 1 };

const fields = (object: JsonObject, old: JsonObject, ratchet = true): string[] =>
  schema.validate(object, { old, ratchet }).map((error) => error.field);

it('ignores errors of fields that did not change', () => {
  expect(fields({ must: 'x', mode: 'z' }, { mode: 'z' })).toEqual([]);
  expect(fields({ must: 'x', mode: 'y' }, { mode: 'z' })).toEqual(['mode']);
  expect(fields({ mode: 'z' }, { mode: 'z', extra: 1 })).toEqual(['must']);
  expect(fields({ must: 'x', mode: 'z' }, { mode: 'z' }, false)).toEqual(['mode']);
});

it('correlates items of keyed lists by key and treats other lists as one value', () => {
  expect(
    fields(
      {
        must: 'x',
        keyed: [
          { ...good, size: 2 },
          { ...bad, note: 'n' },
        ],
      },
      { keyed: [bad, good] },
    ),
  ).toEqual([]);
  expect(fields({ must: 'x', keyed: [{ ...bad, size: 98 }] }, { keyed: [bad] })).toEqual(['keyed[0].size']);
  expect(fields({ must: 'x', plain: [bad, good] }, { plain: [bad, good] })).toEqual([]);
  expect(fields({ must: 'x', plain: [bad] }, { plain: [bad, good] })).toEqual(['plain[0].size']);
});

it('does not ratchet below a junctor', () => {
  const errors = schema.validate(
    { must: 'x', all: { a: 'long!', b: 'y' } },
    { old: { all: { a: 'long!', b: 'x' } } },
  );
  expect(errors.map(fieldErrorMessage)).toEqual([
    'all.a: Too long: may not be more than 3 bytes',
    '<nil>: Invalid value: "": "all" must validate all the schemas (allOf). None validated',
  ]);
});
