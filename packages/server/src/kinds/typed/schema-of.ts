// The published schema of a Go type: what OpenAPI, kubectl explain, server-side apply and strategic merge
// patches read.

import type { GoField, GoType, StructType } from '@instar/kinds';
import type { JSONSchemaProps } from '@instar/schema';

export function schemaOf(type: GoType): JSONSchemaProps {
  switch (type.kind) {
    case 'struct':
      return structSchema(type);
    case 'list':
      return { type: 'array', items: schemaOf(type.items) };
    case 'map':
      return { type: 'object', additionalProperties: schemaOf(type.values) };
    case 'string':
      return { type: 'string', ...(type.enum !== undefined && { enum: [...type.enum] }) };
    case 'int32':
    case 'int64':
      return { type: 'integer', format: type.kind };
    case 'float64':
      return { type: 'number', format: 'double' };
    case 'bool':
      return { type: 'boolean' };
    case 'bytes':
      return { type: 'string', format: 'byte' };
    case 'time':
    case 'microTime':
      return { type: 'string', format: 'date-time' };
    case 'quantity':
      return { 'x-kubernetes-int-or-string': true };
    case 'intOrString':
      return { 'x-kubernetes-int-or-string': true, format: 'int-or-string' };
    // A type that contains itself is published as an open object: structural schemas have no references.
    case 'lazy':
    case 'choice':
      return { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    case 'raw':
      return {
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
        // An object of any kind has one owner.
        ...(type.name === 'runtime.RawExtension' && { 'x-kubernetes-map-type': 'atomic' }),
      };
  }
}

function structSchema(type: StructType): JSONSchemaProps {
  const fields = [...type.fields];
  const needed = fields.filter(([, field]) => field.required === true).map(([name]) => name);
  return {
    ...(type.description !== '' && { description: type.description }),
    type: 'object',
    ...(needed.length > 0 && { required: needed }),
    properties: Object.fromEntries(fields.map(([name, field]) => [name, fieldSchema(field)])),
    ...(type.atomic && { 'x-kubernetes-map-type': 'atomic' }),
  };
}

function fieldSchema(field: GoField): JSONSchemaProps {
  return {
    ...(field.mapKeys === undefined ? schemaOf(field.type) : mapListSchema(field.type, field.mapKeys)),
    ...(field.description !== '' && { description: field.description }),
    ...(field.default !== undefined && { default: field.default }),
    ...(field.listType !== undefined && { 'x-kubernetes-list-type': field.listType }),
    ...(field.mapKeys !== undefined && { 'x-kubernetes-list-map-keys': [...field.mapKeys] }),
    ...(field.atomic === true && { 'x-kubernetes-map-type': 'atomic' }),
    ...(field.patch !== undefined && { 'x-kubernetes-patch-strategy': field.patch.strategy }),
    ...(field.patch?.key !== undefined && { 'x-kubernetes-patch-merge-key': field.patch.key }),
  };
}

/** A text or number that an item omits as its key is the zero value, by which apply finds the item. */
function mapListSchema(type: GoType, keys: readonly string[]): JSONSchemaProps {
  const schema = schemaOf(type);
  const items = schema.items as JSONSchemaProps | undefined;
  if (items?.properties === undefined) return schema;
  const properties = { ...items.properties };
  for (const key of keys) {
    const of = properties[key];
    if (of === undefined || of.default !== undefined || !items.required?.includes(key)) continue;
    properties[key] = { ...of, default: of.type === 'string' ? '' : 0 };
  }
  return { ...schema, items: { ...items, properties } };
}
