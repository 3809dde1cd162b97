// The schema of a custom kind as it is published. Version 3 says all that the definition says. Version 2 leaves out what kubectl's reader of it
// takes for a restriction: below anything that may be null or hold unknown fields, nothing is said at all.
import type { JsonObject, JsonValue } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import type { Dialect } from '../dialect.ts';
import { embeddedProperties, objectProperties } from './type-meta.ts';

const PRESERVE = 'x-kubernetes-preserve-unknown-fields';
const EMBEDDED = 'x-kubernetes-embedded-resource';
const INT_OR_STRING = 'x-kubernetes-int-or-string';

/** Keywords that are copied when they say something: false, "" and [] are what their absence means. */
const PLAIN = [
  'description',
  'type',
  'title',
  'format',
  'nullable',
  'externalDocs',
  'example',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'multipleOf',
  'maxProperties',
  'minProperties',
  'enum',
  'required',
  PRESERVE,
  EMBEDDED,
  INT_OR_STRING,
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
  'x-kubernetes-validations',
] as const satisfies readonly (keyof JSONSchemaProps)[];

const KEPT_IN_V3 = [...PLAIN, 'default'] as const;
const JUNCTORS = ['allOf', 'anyOf', 'oneOf'] as const;

export function customSchema(source: JSONSchemaProps, dialect: Dialect): JsonObject {
  // No properties at all, or kubectl would complain about all others.
  if (dialect.version === 'v2' && source[PRESERVE] === true) return { type: 'object' };
  const schema = dialect.version === 'v2' ? inV2(source, dialect) : inV3(source, dialect);
  return { ...schema, properties: { ...(schema['properties'] as JsonObject | undefined), ...objectProperties(dialect) } };
}

function inV3(source: JSONSchemaProps, dialect: Dialect): JsonObject {
  const out = copied(source, KEPT_IN_V3);
  if (isSchema(source.items)) out['items'] = inV3(source.items, dialect);
  if (hasMembers(source.properties)) out['properties'] = mapValues(source.properties, (member) => inV3(member, dialect));
  copyAdditional(out, source, (values) => inV3(values, dialect));
  for (const key of JUNCTORS) if (source[key]?.length) out[key] = source[key].map(nested);
  if (source.not !== undefined) out['not'] = nested(source.not);
  if (source[INT_OR_STRING] === true) unfoldIntOrString(out);
  return source[EMBEDDED] === true ? withEmbedded(out, dialect) : out;
}

/** What stands below allOf, anyOf, oneOf and not says nothing of structure. */
function nested(source: JSONSchemaProps): JsonObject {
  const out = copied(source, KEPT_IN_V3);
  if (isSchema(source.items)) out['items'] = nested(source.items);
  if (hasMembers(source.properties)) out['properties'] = mapValues(source.properties, nested);
  for (const key of JUNCTORS) if (source[key]?.length) out[key] = source[key].map(nested);
  if (source.not !== undefined) out['not'] = nested(source.not);
  return out;
}

/** Says in plain keywords what the extension means, for readers that do not know it. */
function unfoldIntOrString(out: JsonObject): void {
  const allOf = (out['allOf'] ?? []) as JsonObject[];
  if (isIntOrString(out['anyOf']) || isIntOrString(allOf[0]?.['anyOf'])) return;
  const either = { anyOf: [{ type: 'integer' }, { type: 'string' }] };
  if (out['anyOf'] === undefined) Object.assign(out, either);
  else out['allOf'] = [either, ...allOf];
}

function isIntOrString(anyOf: JsonValue | undefined): boolean {
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return false;
  const [first, second] = anyOf as [JsonObject, JsonObject];
  return isOnlyType(first, 'integer') && isOnlyType(second, 'string');
}

const isOnlyType = (schema: JsonObject, type: string): boolean => schema['type'] === type && Object.keys(schema).length === 1;

function inV2(source: JSONSchemaProps, dialect: Dialect): JsonObject {
  const preserves = source[PRESERVE] === true;
  const open = source.nullable === true || preserves;
  const out = copied(source, PLAIN);
  delete out['nullable'];
  if (isSchema(source.items) && !open) out['items'] = inV2(source.items, dialect);
  if (source.nullable === true || (out['type'] === 'array' && out['items'] === undefined)) delete out['type'];
  if (preserves && out['type'] === 'object') delete out['type'];
  if (hasMembers(source.properties) && !open) {
    out['properties'] = mapValues(source.properties, (member) => inV2(member, dialect));
    requireOnly(out, (name) => source.properties![name]?.nullable !== true);
  }
  copyAdditional(out, source, (values) => inV2(values, dialect));
  if (isSchema(source.additionalProperties) && source.additionalProperties.nullable === true) delete out['required'];
  return source[EMBEDDED] === true && !preserves ? withEmbedded(out, dialect) : out;
}

function requireOnly(out: JsonObject, keep: (name: string) => boolean): void {
  const required = out['required'] as string[] | undefined;
  const kept = required?.filter(keep) ?? [];
  if (kept.length > 0) out['required'] = kept;
  else delete out['required'];
}

function withEmbedded(out: JsonObject, dialect: Dialect): JsonObject {
  const required = (out['required'] ?? []) as string[];
  return {
    ...out,
    required: [...required, ...['kind', 'apiVersion'].filter((name) => !required.includes(name))],
    properties: { ...(out['properties'] as JsonObject | undefined), ...embeddedProperties(dialect) },
  };
}

function copied(source: JSONSchemaProps, keys: readonly (keyof JSONSchemaProps)[]): JsonObject {
  const out: JsonObject = {};
  for (const key of keys) {
    const value = source[key] as JsonValue | undefined;
    if (value !== undefined && (key === 'default' || key === 'example' || saysSomething(value))) out[key] = value;
  }
  return out;
}

const saysSomething = (value: JsonValue): boolean => value !== false && value !== '' && !(Array.isArray(value) && value.length === 0);

function copyAdditional(
  out: JsonObject,
  { additionalProperties }: JSONSchemaProps,
  convert: (values: JSONSchemaProps) => JsonObject,
): void {
  if (additionalProperties === undefined) return;
  out['additionalProperties'] = isSchema(additionalProperties) ? convert(additionalProperties) : (additionalProperties as boolean);
}

const isSchema = (value: JSONSchemaProps | JSONSchemaProps[] | boolean | undefined): value is JSONSchemaProps =>
  typeof value === 'object' && !Array.isArray(value);

const hasMembers = (properties: Record<string, JSONSchemaProps> | undefined): properties is Record<string, JSONSchemaProps> =>
  properties !== undefined && Object.keys(properties).length > 0;

/** Members may have any name, also that of the prototype. */
const mapValues = (members: Record<string, JSONSchemaProps>, convert: (member: JSONSchemaProps) => JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, convert(member)]));
