/**
 * What a schema declares to expressions: a type, the maximum number of elements of its values, and the
 * minimum length of their JSON. Without bounds in the schema, they follow from the size of a request; they
 * determine the estimated cost of rules, so they mirror upstream exactly. typed-schema.ts makes CEL types and
 * reads values.
 */
import { utf8Length } from '@instar/go';
import { escapeName } from '../escaping.ts';
import { maxRequestBytes } from '../limits.ts';
import { isEmbeddedResource, type SchemaNode, valueSchemaOf, withResourceMeta } from './schema-node.ts';

export type DeclaredKind =
  | 'dyn'
  | 'list'
  | 'map'
  | 'object'
  | 'string'
  | 'bytes'
  | 'duration'
  | 'timestamp'
  | 'bool'
  | 'double'
  | 'int';

/** The type that a schema declares for expressions. */
export interface DeclaredType {
  readonly kind: DeclaredKind;
  /** For the root of a resource, the schema with the metadata added. */
  readonly schema: SchemaNode;
  /** The maximum number of elements, entries, characters or bytes; 0 for values without a size. */
  readonly maxElements: number;
  /** The length of the shortest JSON of a value. */
  readonly minSerializedSize: number;
  /** Of lists and maps. */
  readonly element: DeclaredType | undefined;
  /** Of objects, by their names in expressions, without properties that expressions cannot access. */
  readonly fields: ReadonlyMap<string, DeclaredField>;
}

interface DeclaredField {
  readonly property: string;
  readonly type: DeclaredType;
}

const longestString = maxRequestBytes - 2;
const noFields: ReadonlyMap<string, DeclaredField> = new Map();

/** The declaration of a schema, or undefined if expressions cannot see its values. */
export function declareType(schema: SchemaNode, isResourceRoot = false): DeclaredType | undefined {
  if (schema['x-kubernetes-int-or-string'] === true)
    return scalar('dyn', schema, 1, boundedLength(schema) ?? longestString);
  const node = isResourceRoot ? withResourceMeta(schema) : schema;
  switch (node.type) {
    case 'array':
      return declareList(node);
    case 'object':
      return valueSchemaOf(node) === undefined ? declareObject(node) : declareMap(node, valueSchemaOf(node)!);
    case 'string':
      return declareString(node);
    case 'boolean':
      return scalar('bool', node, 4, 0);
    case 'number':
      return scalar('double', node, 1, 0);
    case 'integer':
      return scalar('int', node, 1, 0);
    default:
      return undefined;
  }
}

function scalar(
  kind: DeclaredKind,
  schema: SchemaNode,
  minSerializedSize: number,
  maxElements: number,
): DeclaredType {
  return { kind, schema, minSerializedSize, maxElements, element: undefined, fields: noFields };
}

function declareNested(schema: SchemaNode): DeclaredType | undefined {
  return declareType(schema, isEmbeddedResource(schema));
}

function declareList(schema: SchemaNode): DeclaredType | undefined {
  const element = schema.items === undefined ? undefined : declareNested(schema.items);
  if (element === undefined) return undefined;
  const maxElements =
    bound(schema.maxItems) ?? Math.floor((maxRequestBytes - 2) / (element.minSerializedSize + 1));
  return { ...scalar('list', schema, 2, maxElements), element };
}

function declareMap(schema: SchemaNode, values: SchemaNode): DeclaredType | undefined {
  const element = declareNested(values);
  if (element === undefined) return undefined;
  // Each entry takes at least two quotation marks, two characters of a key, a colon and a comma.
  const maxElements =
    bound(schema.maxProperties) ?? Math.floor((maxRequestBytes - 2) / (element.minSerializedSize + 6));
  return { ...scalar('map', schema, 2, maxElements), element };
}

function declareObject(schema: SchemaNode): DeclaredType {
  const required = new Set(schema.required);
  const fields = new Map<string, DeclaredField>();
  let minSerializedSize = 2;
  for (const [property, node] of Object.entries(schema.properties ?? {})) {
    const type = declareNested(node);
    if (type === undefined) continue;
    const name = escapeName(property);
    if (name !== undefined) fields.set(name, { property, type });
    // The server fills in defaults, so a request need not contain them.
    const mustBeSent = required.has(property) && (node.default === undefined || node.default === null);
    if (mustBeSent) minSerializedSize += utf8Length(property) + type.minSerializedSize + 4;
  }
  return { ...scalar('object', schema, minSerializedSize, 0), fields };
}

function declareString(schema: SchemaNode): DeclaredType {
  switch (schema.format) {
    case 'byte':
      return scalar('bytes', schema, 2, bound(schema.maxLength) ?? longestString);
    case 'duration':
      return scalar('duration', schema, 3, 32);
    case 'date':
      return scalar('timestamp', schema, 12, 12);
    case 'date-time':
      return scalar('timestamp', schema, 21, 32);
    default:
      return scalar('string', schema, 2, boundedLength(schema) ?? longestEnum(schema) ?? longestString);
  }
}

/** In bytes: a character may take four. */
function boundedLength(schema: SchemaNode): number | undefined {
  const limit = bound(schema.maxLength);
  return limit === undefined ? undefined : limit * 4;
}

function longestEnum(schema: SchemaNode): number | undefined {
  if (schema.enum === undefined || schema.enum.length === 0) return undefined;
  return Math.max(...schema.enum.map((value) => (typeof value === 'string' ? utf8Length(value) : 0)));
}

function bound(limit: number | bigint | undefined): number | undefined {
  return limit === undefined ? undefined : Math.max(Number(limit), 0);
}
