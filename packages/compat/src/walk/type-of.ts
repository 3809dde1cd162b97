// The type of a structural schema. Older schemas leave it out where other keywords imply it.
import type { JSONSchemaProps } from '@instar/schema';

export type NodeType =
  | 'object'
  | 'array'
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'int-or-string'
  | 'any';

export function typeOf(schema: JSONSchemaProps): NodeType {
  if (schema['x-kubernetes-int-or-string'] === true || isIntOrStringByFormat(schema)) return 'int-or-string';
  if (schema.type !== undefined && schema.type !== '') return schema.type as NodeType;
  if (isIntOrStringByChoice(schema)) return 'int-or-string';
  return 'any';
}

/** The type that other keywords imply if none is given. */
export function impliedTypeOf(schema: JSONSchemaProps): NodeType {
  const type = typeOf(schema);
  if (type !== 'any') return type;
  if (schema.properties !== undefined || schema.additionalProperties !== undefined) return 'object';
  return schema.items === undefined ? 'any' : 'array';
}

/**
 * Before structural schemas, IntOrString was written as a string with a format that says so, or as a choice
 * of two types.
 */
function isIntOrStringByFormat({ format, type }: JSONSchemaProps): boolean {
  return format === 'int-or-string' && (type === undefined || type === '');
}

function isIntOrStringByChoice({ anyOf, oneOf }: JSONSchemaProps): boolean {
  const types = (anyOf ?? oneOf ?? []).map(({ type }) => type);
  return types.length === 2 && types.includes('integer') && types.includes('string');
}
