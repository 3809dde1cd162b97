// One walk over a schema that finds, for each node, which algorithms apply at or below it. So the parts of an
// object are visited only where there can be a default, an embedded resource, a list type or a rule.
import type { JSONSchemaProps } from '../json-schema-props.ts';

export const HAS_DEFAULT = 1;
export const HAS_EMBEDDED = 2;
export const HAS_LIST_TYPE = 4;
export const HAS_RULE = 8;

/** What exists at or below a node, as a bit set of the constants above. Nodes without any are omitted. */
export type Survey = ReadonlyMap<JSONSchemaProps, number>;

export function surveyOf(root: JSONSchemaProps): Survey {
  const found = new Map<JSONSchemaProps, number>();
  visit(root, found);
  return found;
}

function visit(props: JSONSchemaProps, found: Map<JSONSchemaProps, number>): number {
  let facets = ownFacets(props);
  const { properties, items, additionalProperties } = props;
  if (properties !== undefined) for (const name in properties) facets |= visit(properties[name]!, found);
  if (items !== undefined && !Array.isArray(items)) facets |= visit(items, found);
  if (typeof additionalProperties === 'object') facets |= visit(additionalProperties, found);
  if (facets !== 0) found.set(props, facets);
  return facets;
}

function ownFacets(props: JSONSchemaProps): number {
  let facets = 0;
  if (props.default !== undefined && props.default !== null) facets |= HAS_DEFAULT;
  if (props['x-kubernetes-embedded-resource'] === true) facets |= HAS_EMBEDDED;
  const listType = props['x-kubernetes-list-type'];
  if (listType === 'set' || listType === 'map') facets |= HAS_LIST_TYPE;
  if ((props['x-kubernetes-validations']?.length ?? 0) > 0) facets |= HAS_RULE;
  return facets;
}
