// Walks every schema within a schema, whether structural schemas may have it there or not.
import type { JSONSchemaProps } from '@instar/schema';
import type { CustomResourceDefinitionSpec } from './types.ts';

type Predicate = (schema: JSONSchemaProps) => boolean;

/** True if the predicate holds for the schema or for any below it. Stops at the first. */
export function someSchema(schema: JSONSchemaProps, predicate: Predicate): boolean {
  if (predicate(schema)) return true;
  const { items, allOf, anyOf, oneOf, not, properties, additionalProperties, patternProperties } = schema;
  const { additionalItems, definitions, dependencies } = schema;
  return (
    inSchemas(items, predicate) ||
    inSchemas(allOf, predicate) ||
    inSchemas(anyOf, predicate) ||
    inSchemas(oneOf, predicate) ||
    inSchemas(not, predicate) ||
    inMap(properties, predicate) ||
    inSchemas(additionalProperties, predicate) ||
    inMap(patternProperties, predicate) ||
    inSchemas(additionalItems, predicate) ||
    inMap(definitions, predicate) ||
    inMap(dependencies, predicate)
  );
}

type Below = JSONSchemaProps | readonly (JSONSchemaProps | string)[] | boolean | null | undefined;

/** A dependency may be null: it is decoded as neither a schema nor a list. */
function inSchemas(child: Below, predicate: Predicate): boolean {
  if (typeof child !== 'object' || child === null) return false;
  if (!Array.isArray(child)) return someSchema(child as JSONSchemaProps, predicate);
  return child.some((one) => typeof one === 'object' && someSchema(one, predicate));
}

function inMap(
  map: Readonly<Record<string, JSONSchemaProps | readonly string[]>> | undefined,
  predicate: Predicate,
): boolean {
  for (const name in map) if (inSchemas(map[name], predicate)) return true;
  return false;
}

/** The same for the schemas of all versions. */
export function someSchemaOf(spec: CustomResourceDefinitionSpec, predicate: Predicate): boolean {
  return spec.versions.some(
    ({ schema }) => schema?.openAPIV3Schema !== undefined && someSchema(schema.openAPIV3Schema, predicate),
  );
}
