// Applies defaults: to missing fields, and to nulls where null is not allowed. A missing object is not
// created for the defaults inside it.
import { deepCopy, type JsonObject, type JsonValue, setMember } from '@instar/machinery';

import { coerceEmbedded } from '../objectmeta/coerce.ts';
import { pruneValue } from '../prune/prune.ts';
import type { SchemaNode } from '../tree/schema-node.ts';
import { HAS_DEFAULT } from '../tree/survey.ts';
import { type PathStep, surroundedBy, valueAt } from './surrounding.ts';

/** True if anything changed. */
export function applyDefaults(value: JsonValue, node: SchemaNode): boolean {
  if ((node.facets & HAS_DEFAULT) === 0 || typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) ? defaultItems(value, node) : defaultFields(value, node);
}

function defaultFields(object: JsonObject, node: SchemaNode): boolean {
  let changed = false;
  for (const name of namesWithDefault(node)) {
    const child = node.property(name)!;
    if (Object.hasOwn(object, name) && (object[name] !== null || child.nullable)) continue;
    setMember(object, name, deepCopy(prunedDefault(child)));
    changed = true;
  }
  for (const name in object) {
    const property = node.property(name);
    const child = property ?? node.additionalProperties;
    if (child === undefined) continue;
    if (property === undefined && isReplaceableNull(object[name]!, child)) {
      setMember(object, name, deepCopy(prunedDefault(child)));
      changed = true;
    }
    if (applyDefaults(object[name]!, child)) changed = true;
  }
  return changed;
}

function defaultItems(list: JsonValue[], node: SchemaNode): boolean {
  const { items } = node;
  if (items === undefined) return false;
  let changed = false;
  for (let index = 0; index < list.length; index++) {
    if (isReplaceableNull(list[index]!, items)) {
      list[index] = deepCopy(prunedDefault(items));
      changed = true;
    }
    if (applyDefaults(list[index]!, items)) changed = true;
  }
  return changed;
}

function isReplaceableNull(value: JsonValue, node: SchemaNode): boolean {
  return value === null && !node.nullable && node.default !== undefined;
}

const namesByNode = new WeakMap<SchemaNode, readonly string[]>();

function namesWithDefault(node: SchemaNode): readonly string[] {
  const known = namesByNode.get(node);
  if (known !== undefined) return known;
  if (node.embeddedResource) pruneDefaultsOfMetadata(node);
  const names: string[] = [];
  const { properties } = node.props;
  for (const name in properties)
    if ((properties[name]!.default ?? null) !== null && prunedDefault(node.property(name)!) !== null)
      names.push(name);
  namesByNode.set(node, names);
  return names;
}

/** Null for a default of which pruning leaves nothing. */
const prunedByNode = new WeakMap<SchemaNode, JsonValue>();

/**
 * Definitions from before defaults had to be pruned may have fields that their schema does not specify; and
 * no schema specifies the fields of embedded metadata.
 */
function prunedDefault(node: SchemaNode): JsonValue {
  const known = prunedByNode.get(node);
  if (known !== undefined) return known;
  const value = node.default ?? null;
  if (typeof value !== 'object' || value === null) return value;
  const pruned = deepCopy(value);
  coerceEmbedded(pruned, node, ignore);
  pruneValue(pruned, node);
  prunedByNode.set(node, pruned);
  return pruned;
}

/**
 * In the metadata of an embedded resource only the fields of ObjectMeta are known, whatever the schema
 * specifies: a default there is pruned as part of the metadata that it results in.
 */
function pruneDefaultsOfMetadata(resource: SchemaNode): void {
  const metadata = resource.property('metadata');
  if (metadata !== undefined) pruneWithin(metadata, ['metadata'], resource);
}

function pruneWithin(node: SchemaNode, steps: readonly PathStep[], resource: SchemaNode): void {
  if ((node.facets & HAS_DEFAULT) === 0) return;
  if (node.default !== undefined) {
    const object = surroundedBy(steps, deepCopy(node.default));
    coerceEmbedded(object, resource, ignore);
    prunedByNode.set(node, valueAt(object, steps) ?? null);
  }
  const { items, additionalProperties } = node;
  if (items !== undefined) pruneWithin(items, [...steps, 0], resource);
  if (additionalProperties !== undefined) pruneWithin(additionalProperties, [...steps, '*'], resource);
  for (const name in node.props.properties) pruneWithin(node.property(name)!, [...steps, name], resource);
}

const ignore = (): void => {};
