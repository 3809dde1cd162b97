import { FieldPath, fieldErrorMessage, type JsonValue } from '@instar/machinery';
import { expect, it } from 'vitest';
import type { JSONSchemaProps } from '../json-schema-props.ts';
import { checkDefaults } from './check.ts';

function problems(value: JSONSchemaProps): string[] {
  const schema: JSONSchemaProps = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { value } } },
  };
  return checkDefaults(schema, FieldPath.of('schema')).map(fieldErrorMessage);
}

it.each<[JSONSchemaProps]>([
  [{ type: 'string', default: 'a', pattern: '^a' }],
  [{ type: 'object', default: { a: 1 }, properties: { a: { type: 'integer' } } }],
  // For defaults, int-or-string accepts any type, as upstream does.
  [{ 'x-kubernetes-int-or-string': true, default: true as JsonValue }],
])('accepts %j', (schema) => {
  expect(problems(schema)).toEqual([]);
});

it('refuses invalid values and fields that would be pruned', () => {
  expect(problems({ type: 'string', default: 1 })).toEqual([
    'schema.properties[spec].properties[value].default: Invalid value: "integer":  in body must be of type string: "integer"',
  ]);
  expect(problems({ type: 'object', default: { b: 1 }, properties: { a: { type: 'integer' } } })).toEqual([
    'schema.properties[spec].properties[value].default: Invalid value: {"b":1}: must not have unknown fields',
  ]);
});

it('validates a default inside embedded metadata as part of that metadata', () => {
  const template = (metadata: JSONSchemaProps): JSONSchemaProps => ({
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    properties: { metadata: { type: 'object', properties: { name: metadata } } },
  });
  expect(problems(template({ type: 'string', default: 'fine' }))).toEqual([]);
  expect(problems(template({ type: 'string', default: 'a/b' }))).toEqual([
    'schema.properties[spec].properties[value].properties[metadata].properties[name].default: Invalid value: "a/b": ' +
      'must result in valid metadata: metadata.name: Invalid value: "a/b": may not contain \'/\'',
  ]);
});
