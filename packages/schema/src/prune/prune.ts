// Removes from an object the fields that its schema does not specify, and nulls that mean "not set". Returns
// the paths of the fields but not of the nulls, as upstream. The caller handles root metadata, objectmeta/
// embedded metadata.
import type { JsonObject, JsonValue } from '@instar/machinery';
import type { SchemaNode } from '../tree/schema-node.ts';

/**
 * Paths relative to the value that was pruned: ".a", "[0].b". Undefined if nothing was removed; empty if only
 * nulls were.
 */
type Removed = string[] | undefined;

/**
 * The removed paths in upstream's form (spec.a[0].b), sorted; undefined if nothing changed. With
 * `isResource`, apiVersion, kind and metadata are known.
 */
export function prune(
  object: JsonObject,
  root: SchemaNode,
  isResource: boolean,
  keepsNulls = false,
): Removed {
  const { embeddedResource, preserveUnknownFields } = root;
  const removed = pruneFields(
    object,
    root,
    isResource || embeddedResource,
    preserveUnknownFields,
    keepsNulls,
  );
  return removed?.map((path) => path.slice(1)).sort();
}

/**
 * Prunes any value by its schema. A list that preserves unknown fields passes that on to its items:
 * `preserved`.
 */
export function pruneValue(
  value: JsonValue,
  node: SchemaNode | undefined,
  preserved = false,
  keepsNulls = false,
): Removed {
  if (typeof value !== 'object' || value === null) return undefined;
  const preserve = preserved || node?.preserveUnknownFields === true;
  if (Array.isArray(value)) return pruneItems(value, node?.items, preserve, keepsNulls);
  return node === undefined
    ? removeAll(value)
    : pruneFields(value, node, node.embeddedResource, preserve, keepsNulls);
}

function pruneFields(
  object: JsonObject,
  node: SchemaNode,
  isResource: boolean,
  preserve: boolean,
  keepsNulls: boolean,
): Removed {
  let removed: Removed;
  for (const name in object) {
    const value = object[name]!;
    const child = node.property(name) ?? (node.opensFields ? node.additionalProperties : undefined);
    if (value === null && child !== undefined && !child.nullable && child.default === undefined) {
      if (keepsNulls) continue;
      delete object[name];
      removed ??= [];
    } else if (isResource && isMetaField(name)) {
      // Kept regardless of the schema.
    } else if (child === undefined && !node.opensFields) {
      if (preserve) continue;
      delete object[name];
      removed = addBelow(removed, `.${name}`, ['']);
    } else if (typeof value === 'object' && value !== null) {
      const below = pruneValue(value, child, false, keepsNulls);
      if (below !== undefined) removed = addBelow(removed, `.${name}`, below);
    }
  }
  return removed;
}

function pruneItems(
  list: JsonValue[],
  items: SchemaNode | undefined,
  preserve: boolean,
  keepsNulls: boolean,
): Removed {
  if (preserve && items === undefined) return undefined;
  let removed: Removed;
  for (let index = 0; index < list.length; index++) {
    const below = pruneValue(list[index]!, items, preserve, keepsNulls);
    if (below !== undefined) removed = addBelow(removed, `[${index}]`, below);
  }
  return removed;
}

/** Without a schema no field is specified. */
function removeAll(object: JsonObject): Removed {
  let removed: Removed;
  for (const name in object) {
    delete object[name];
    removed = addBelow(removed, `.${name}`, ['']);
  }
  return removed;
}

function isMetaField(name: string): boolean {
  return name === 'metadata' || name === 'kind' || name === 'apiVersion';
}

function addBelow(removed: Removed, prefix: string, below: string[]): string[] {
  const all = removed ?? [];
  for (const path of below) all.push(prefix + path);
  return all;
}
