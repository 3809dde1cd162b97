// Keywords that a structural schema cannot have. The validation of CRDs normally refuses them first.
import type { JSONSchemaProps } from '../json-schema-props.ts';

/** Upstream's message, or undefined if all keywords are supported. */
export function unsupportedKeyword(schema: JSONSchemaProps): string | undefined {
  const own = unsupportedHere(schema);
  if (own !== undefined) return own;
  for (const child of childrenOf(schema)) {
    const found = unsupportedKeyword(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

function unsupportedHere(schema: JSONSchemaProps): string | undefined {
  const found = [
    ['id', schema.id],
    ['schema', schema.$schema],
    ['$ref', schema.$ref],
    ['patternProperties', Object.keys(schema.patternProperties ?? {}).length],
    ['dependencies', Object.keys(schema.dependencies ?? {}).length],
    ['additionalItems', schema.additionalItems !== undefined],
    ['definitions', Object.keys(schema.definitions ?? {}).length],
  ].find(([, value]) => Boolean(value));
  if (found !== undefined) return `OpenAPIV3Schema '${found[0]}' is not supported`;
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  return Array.isArray(schema.items)
    ? "OpenAPIV3Schema 'items' must be a schema, but is an array"
    : undefined;
}

function childrenOf(schema: JSONSchemaProps): JSONSchemaProps[] {
  const { items, properties = {}, additionalProperties, allOf = [], anyOf = [], oneOf = [], not } = schema;
  const children = [...allOf, ...anyOf, ...oneOf, ...Object.values(properties)];
  if (not !== undefined) children.push(not);
  if (items !== undefined && !Array.isArray(items)) children.push(items);
  if (typeof additionalProperties === 'object') children.push(additionalProperties);
  return children;
}
