// Fills in defaults: fields that are missing, and nulls where null is not allowed. An object that is not
// there is not made for the sake of the defaults inside it.
import { deepCopy, type JsonObject, type JsonValue, setMember } from '@instar/machinery';

import { pruneValue } from '../prune/prune.ts';
import type { SchemaNode } from '../tree/schema-node.ts';
import { HAS_DEFAULT } from '../tree/survey.ts';

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
  const names: string[] = [];
  const { properties } = node.props;
  for (const name in properties) if ((properties[name]!.default ?? null) !== null) names.push(name);
  namesByNode.set(node, names);
  return names;
}

const prunedByNode = new WeakMap<SchemaNode, JsonValue>();

/** Definitions from before defaults had to be pruned may hold fields that their schema does not know. */
function prunedDefault(node: SchemaNode): JsonValue {
  const value = node.default ?? null;
  if (typeof value !== 'object' || value === null) return value;
  let pruned = prunedByNode.get(node);
  if (pruned === undefined) {
    pruned = deepCopy(value);
    pruneValue(pruned, node);
    prunedByNode.set(node, pruned);
  }
  return pruned;
}
