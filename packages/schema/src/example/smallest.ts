// The smallest value that a schema demands: required members only, the shortest strings, the least numbers. Patterns, rules and combinations are not
// looked at, so that whoever needs a valid value must validate it.
import type { JsonObject, JsonValue } from '@instar/machinery';
import type { JSONSchemaProps } from '../json-schema-props.ts';

export function smallestExample(schema: JSONSchemaProps): JsonValue {
  if (schema.default !== undefined) return structuredCopy(schema.default);
  if (schema.enum !== undefined && schema.enum.length > 0) return structuredCopy(schema.enum[0]!);
  if (schema['x-kubernetes-int-or-string']) return 0;
  switch (schema.type) {
    case 'array':
      return smallestArray(schema);
    case 'string':
      return smallestString(schema);
    case 'integer':
    case 'number':
      return smallestNumber(schema);
    case 'boolean':
      return false;
    default:
      return smallestObject(schema);
  }
}

const structuredCopy = (value: JsonValue): JsonValue => JSON.parse(JSON.stringify(value)) as JsonValue;

function smallestObject({ properties = {}, required = [] }: JSONSchemaProps): JsonObject {
  const members = required.filter((name) => Object.hasOwn(properties, name));
  return Object.fromEntries(members.map((name) => [name, smallestExample(properties[name]!)]));
}

function smallestArray({ items, minItems = 0 }: JSONSchemaProps): JsonValue[] {
  const item = Array.isArray(items) ? items[0] : items;
  return item === undefined ? [] : Array.from({ length: Math.min(minItems, 16) }, () => smallestExample(item));
}

const BY_FORMAT: Readonly<Record<string, string>> = {
  'date-time': '2000-01-01T00:00:00Z',
  date: '2000-01-01',
  duration: '1s',
  uuid: '00000000-0000-4000-8000-000000000000',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  cidr: '192.0.2.0/24',
  uri: 'https://example.com/',
  hostname: 'example.com',
  email: 'somebody@example.com',
};

function smallestString({ format = '', minLength = 0 }: JSONSchemaProps): string {
  return Object.hasOwn(BY_FORMAT, format) ? BY_FORMAT[format]! : 'x'.repeat(Math.min(minLength, 1024));
}

function smallestNumber({ minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf = 1 }: JSONSchemaProps): number {
  if (minimum !== undefined && minimum >= 0) return exclusiveMinimum ? minimum + multipleOf : minimum;
  if (maximum !== undefined && maximum <= 0) return exclusiveMaximum ? maximum - multipleOf : maximum;
  return 0;
}
