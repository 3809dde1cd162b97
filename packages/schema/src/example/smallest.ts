// The smallest value that a schema requires: required members only, the shortest strings, the smallest
// numbers. Ignores patterns, rules and junctors, so a caller that needs a valid value must validate it. For a
// schema that requires too much (lists of lists of lists) the value is cut short.
import { deepCopy, encodeJson, type JsonObject, type JsonValue } from '@instar/machinery';
import type { JSONSchemaProps } from '../json-schema-props.ts';

/** The approximate limit of an example, in characters. */
const MAX_CHARS = 1_000_000;
const NODE_CHARS = 8;

/** The smallest value that has the required fields of a schema. */
export function smallestExample(schema: JSONSchemaProps): JsonValue {
  return new Example().of(schema);
}

class Example {
  #left = MAX_CHARS;

  of(schema: JSONSchemaProps): JsonValue {
    this.#left -= NODE_CHARS;
    if (schema.default !== undefined) return this.#copy(schema.default);
    if (schema.enum !== undefined && schema.enum.length > 0) return this.#copy(schema.enum[0]!);
    if (schema['x-kubernetes-int-or-string']) return 0;
    switch (schema.type) {
      case 'array':
        return this.#array(schema);
      case 'string':
        return this.#sized(smallestString(schema));
      case 'integer':
      case 'number':
        return smallestNumber(schema);
      case 'boolean':
        return false;
      default:
        return this.#object(schema);
    }
  }

  #copy(value: JsonValue): JsonValue {
    this.#left -= encodeJson(value).length;
    return deepCopy(value);
  }

  #sized(text: string): string {
    this.#left -= text.length;
    return text;
  }

  #object({ properties = {}, required = [] }: JSONSchemaProps): JsonObject {
    const members = required.filter((name) => Object.hasOwn(properties, name));
    return Object.fromEntries(members.map((name) => [name, this.of(properties[name]!)]));
  }

  #array({ items, minItems = 0 }: JSONSchemaProps): JsonValue[] {
    const item = Array.isArray(items) ? items[0] : items;
    const list: JsonValue[] = [];
    if (item !== undefined)
      while (list.length < Math.min(minItems, 16) && this.#left > 0) list.push(this.of(item));
    return list;
  }
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

function smallestNumber({
  minimum,
  exclusiveMinimum,
  maximum,
  exclusiveMaximum,
  multipleOf = 1,
}: JSONSchemaProps): number {
  if (minimum !== undefined && minimum >= 0) return exclusiveMinimum ? minimum + multipleOf : minimum;
  if (maximum !== undefined && maximum <= 0) return exclusiveMaximum ? maximum - multipleOf : maximum;
  return 0;
}
