import { FieldPath, fieldErrorMessage } from '@instar/machinery';
import { describe, expect, it } from 'vitest';
import type { JSONSchemaProps } from '../json-schema-props.ts';
import { unsupportedKeyword } from './unsupported.ts';
import { structuralViolations } from './violations.ts';

const at = (value: JSONSchemaProps): string[] =>
  structuralViolations({ type: 'object', properties: { value } }, FieldPath.of('s')).map(fieldErrorMessage);

describe('structuralViolations', () => {
  it.each<[JSONSchemaProps, string]>([
    [{}, 's.properties[value].type: Required value: must not be empty for specified object fields'],
    [{ type: 'array' }, 's.properties[value].items: Required value: must be specified'],
    [
      { type: 'string', pattern: '(?=a)' },
      's.properties[value].pattern: Invalid value: "(?=a)": must be a valid regular expression, but isn\'t: error parsing regexp: invalid or unsupported Perl syntax: `(?=`',
    ],
    [
      { type: 'string', anyOf: [{ description: 'x' }] },
      's.properties[value].anyOf[0].description: Forbidden: must be empty to be structural',
    ],
    [
      { type: 'string', not: { nullable: true } },
      's.properties[value].not.nullable: Forbidden: must be false to be structural',
    ],
    [
      { type: 'object', 'x-kubernetes-embedded-resource': true },
      's.properties[value].properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
    ],
    [
      { 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true },
      's.properties[value].x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if x-kubernetes-int-or-string is true',
    ],
  ])('%j', (schema, message) => {
    expect(at(schema)).toEqual([message]);
  });

  it('allows int-or-string to be written out', () => {
    const types = [{ type: 'integer' }, { type: 'string' }];
    expect(at({ 'x-kubernetes-int-or-string': true, anyOf: types })).toEqual([]);
    expect(at({ 'x-kubernetes-int-or-string': true, allOf: [{ anyOf: types }, { maximum: 3 }] })).toEqual([]);
    expect(at({ 'x-kubernetes-int-or-string': true, anyOf: [...types].reverse() })).toHaveLength(2);
  });

  it('requires fields that junctors at the root constrain to be specified', () => {
    const schema: JSONSchemaProps = {
      type: 'object',
      properties: { a: { type: 'string' } },
      anyOf: [{ properties: { b: { minLength: 1 } } }],
    };
    expect(structuralViolations(schema, FieldPath.of('s')).map(fieldErrorMessage)).toEqual([
      's.properties[b]: Required value: because it is defined in s.anyOf[0].properties[b]',
    ]);
  });

  it('forbids schemas of metadata except names', () => {
    const metadata = (properties: Record<string, JSONSchemaProps>): string[] =>
      structuralViolations(
        { type: 'object', properties: { metadata: { type: 'object', properties } } },
        FieldPath.of('s'),
      ).map(fieldErrorMessage);
    expect(metadata({ name: { type: 'string', maxLength: 3 } })).toEqual([]);
    expect(metadata({ labels: { type: 'object' } })).toEqual([
      's.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified',
    ]);
  });
});

it('unsupportedKeyword searches the whole schema', () => {
  expect(
    unsupportedKeyword({ type: 'object', properties: { a: { type: 'string', not: { $ref: '#/x' } } } }),
  ).toBe("OpenAPIV3Schema '$ref' is not supported");
  expect(unsupportedKeyword({ type: 'object' })).toBeUndefined();
});
