// The published schema of a custom kind. Version 3 contains everything in the definition. Version 2 omits
// what kubectl's parser treats as a restriction: nothing is published below a schema that may be null or have
// unknown fields. What does not change is not copied: most of a large schema is published as it is in the
// definition.
import type { JsonObject, JsonValue } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import type { Dialect } from '../dialect.ts';
import { embeddedProperties, objectProperties } from './type-meta.ts';

const PRESERVE = 'x-kubernetes-preserve-unknown-fields';
const EMBEDDED = 'x-kubernetes-embedded-resource';
const INT_OR_STRING = 'x-kubernetes-int-or-string';

/** Not to be changed. */
type Schema = Readonly<JsonObject>;
/** Converts a member of a schema; undefined if it is left out. */
type Convert = (key: string, value: JsonValue) => JsonValue | undefined;

export function customSchema(source: JSONSchemaProps, dialect: Dialect): JsonObject {
  // Without any properties, since kubectl would refuse all others.
  if (dialect.version === 'v2' && source[PRESERVE] === true) return { type: 'object' };
  const schema = dialect.version === 'v2' ? inV2(source as Schema, dialect) : inV3(source as Schema, dialect);
  return {
    ...schema,
    properties: { ...(schema['properties'] as JsonObject | undefined), ...objectProperties(dialect) },
  };
}

function inV3(source: Schema, dialect: Dialect): Schema {
  const out = converted(source, (key, value) => memberInV3(key, value, dialect));
  if (source[INT_OR_STRING] === true) return unfoldIntOrString(out);
  return source[EMBEDDED] === true ? withEmbedded(out, dialect) : out;
}

function memberInV3(key: string, value: JsonValue, dialect: Dialect): JsonValue | undefined {
  switch (key) {
    case 'items':
      return inV3(value as Schema, dialect);
    case 'additionalProperties':
      return typeof value === 'boolean' ? value : inV3(value as Schema, dialect);
    case 'properties':
      return mapped(value as JsonObject, (member) => inV3(member, dialect));
    default:
      return valueMember(key, value);
  }
}

/** Schemas below allOf, anyOf, oneOf and not do not define structure. */
const nested = (source: Schema): Schema =>
  converted(source, (key, value) => {
    switch (key) {
      case 'items':
        return nested(value as Schema);
      case 'additionalProperties':
        return undefined;
      case 'properties':
        return mapped(value as JsonObject, nested);
      default:
        return valueMember(key, value);
    }
  });

/**
 * Members without structural schemas in them. Values that mean the same as absence are left out: false, ""
 * and [].
 */
function valueMember(key: string, value: JsonValue): JsonValue | undefined {
  switch (key) {
    case 'default':
    case 'example':
      return value;
    case 'not':
      return nested(value as Schema);
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
      return (value as Schema[]).length === 0 ? undefined : eachOf(value as Schema[], nested);
    default:
      return value === false || value === '' || (Array.isArray(value) && value.length === 0)
        ? undefined
        : value;
  }
}

/** Expresses the extension in plain keywords, for clients that do not know it. */
function unfoldIntOrString(schema: Schema): Schema {
  const allOf = (schema['allOf'] ?? []) as Schema[];
  if (isIntOrString(schema['anyOf']) || isIntOrString(allOf[0]?.['anyOf'])) return schema;
  const either = { anyOf: [{ type: 'integer' }, { type: 'string' }] };
  return schema['anyOf'] === undefined ? { ...schema, ...either } : { ...schema, allOf: [either, ...allOf] };
}

function isIntOrString(anyOf: JsonValue | undefined): boolean {
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return false;
  const [first, second] = anyOf as [Schema, Schema];
  return isOnlyType(first, 'integer') && isOnlyType(second, 'string');
}

const isOnlyType = (schema: Schema, type: string): boolean =>
  schema['type'] === type && Object.keys(schema).length === 1;

function inV2(source: Schema, dialect: Dialect): Schema {
  const preserves = source[PRESERVE] === true;
  const out = converted(source, (key, value) => memberInV2(key, value, source, dialect));
  return source[EMBEDDED] === true && !preserves ? withEmbedded(out, dialect) : out;
}

function memberInV2(key: string, value: JsonValue, source: Schema, dialect: Dialect): JsonValue | undefined {
  switch (key) {
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
    case 'not':
    case 'nullable':
    case 'default':
      return undefined;
    case 'items':
      return isOpen(source) ? undefined : inV2(value as Schema, dialect);
    case 'properties':
      return isOpen(source) ? undefined : mapped(value as JsonObject, (member) => inV2(member, dialect));
    case 'additionalProperties':
      return typeof value === 'boolean' ? value : inV2(value as Schema, dialect);
    case 'required':
      return requiredInV2(value as string[], source);
    case 'type':
      return typeInV2(value, source);
    default:
      return valueMember(key, value);
  }
}

const isNullable = (schema: JsonValue | undefined): boolean =>
  (schema as Schema | undefined)?.['nullable'] === true;
const isOpen = (source: Schema): boolean => isNullable(source) || source[PRESERVE] === true;

/** kubectl's parser cannot handle an array without items or an open object, except as values of any type. */
function typeInV2(type: JsonValue, source: Schema): JsonValue | undefined {
  const preserves = source[PRESERVE] === true;
  if (isNullable(source) || type === '') return undefined;
  if (type === 'array' && (preserves || source['items'] === undefined)) return undefined;
  return preserves && type === 'object' ? undefined : type;
}

/** kubectl does not count null as present. */
function requiredInV2(required: string[], source: Schema): string[] | undefined {
  if (isNullable(source['additionalProperties'])) return undefined;
  const properties = (isOpen(source) ? {} : (source['properties'] ?? {})) as JsonObject;
  const mayBeNull = (name: string) => Object.hasOwn(properties, name) && isNullable(properties[name]);
  const kept = required.some(mayBeNull) ? required.filter((name) => !mayBeNull(name)) : required;
  return kept.length === 0 ? undefined : kept;
}

function withEmbedded(schema: Schema, dialect: Dialect): Schema {
  const required = (schema['required'] ?? []) as string[];
  return {
    ...schema,
    required: [...required, ...['kind', 'apiVersion'].filter((name) => !required.includes(name))],
    properties: { ...(schema['properties'] as JsonObject | undefined), ...embeddedProperties(dialect) },
  };
}

/** The schema itself if no member changes. */
function converted(source: Schema, convert: Convert): Schema {
  let out: JsonObject | undefined;
  for (const key of Object.keys(source)) {
    const value = source[key]!;
    const next = convert(key, value);
    if (next === value) continue;
    out ??= { ...source };
    if (next === undefined) delete out[key];
    else out[key] = next;
  }
  return out ?? source;
}

/** Members may have any name, even __proto__: nothing is assigned by name. */
function mapped(members: JsonObject, convert: (member: Schema) => Schema): JsonObject | undefined {
  const entries = Object.entries(members);
  if (entries.length === 0) return undefined;
  let isChanged = false;
  for (const entry of entries) {
    const next = convert(entry[1] as Schema);
    isChanged ||= next !== entry[1];
    entry[1] = next as JsonObject;
  }
  return isChanged ? Object.fromEntries(entries) : members;
}

function eachOf(schemas: Schema[], convert: (schema: Schema) => Schema): Schema[] {
  const next = schemas.map(convert);
  return next.some((schema, index) => schema !== schemas[index]) ? next : schemas;
}
