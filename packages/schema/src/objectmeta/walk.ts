// Finds the embedded resources in an object.
import type { JsonObject, JsonValue } from '@instar/machinery';
import type { Trail } from '../trail.ts';
import type { SchemaNode } from '../tree/schema-node.ts';
import { HAS_EMBEDDED } from '../tree/survey.ts';

/** Calls `visit` for each, outer before inner ones, with the trail at its location. */
export function walkEmbedded(
  value: JsonValue,
  node: SchemaNode,
  trail: Trail,
  visit: (resource: JsonObject) => void,
): void {
  if ((node.facets & HAS_EMBEDDED) === 0 || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) walkItems(value, node, trail, visit);
  else walkFields(value, node, trail, visit);
}

function walkFields(
  object: JsonObject,
  node: SchemaNode,
  trail: Trail,
  visit: (resource: JsonObject) => void,
): void {
  if (node.embeddedResource) visit(object);
  for (const name in object) {
    const property = node.property(name);
    const child = property ?? node.additionalProperties;
    if (child === undefined) continue;
    if (property === undefined) trail.enterKey(name);
    else trail.enter(name);
    walkEmbedded(object[name]!, child, trail, visit);
    trail.leave();
  }
}

function walkItems(
  list: JsonValue[],
  { items }: SchemaNode,
  trail: Trail,
  visit: (resource: JsonObject) => void,
): void {
  if (items === undefined) return;
  list.forEach((item, index) => {
    trail.enter(index);
    walkEmbedded(item, items, trail, visit);
    trail.leave();
  });
}
