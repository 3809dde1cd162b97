// The promise of x-kubernetes-list-type: items of a set are unique, and so are the keys of the items of a map.
import { type FieldError, type FieldPath, fieldErrors, isJsonObject, type JsonObject, type JsonValue, setMember } from '@instar/machinery';
import { canonicalJson } from '../json/canonical.ts';
import { sortedJson } from '../json/sorted.ts';

import type { SchemaNode } from '../structural/schema-node.ts';
import { HAS_LIST_TYPE } from '../structural/survey.ts';
import { Trail } from '../trail.ts';

export function duplicateItems(value: JsonValue, node: SchemaNode, path?: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  visit(value, node, new Trail(path), errors);
  return errors;
}

function visit(value: JsonValue, node: SchemaNode, trail: Trail, errors: FieldError[]): void {
  if ((node.facets & HAS_LIST_TYPE) === 0 || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) visitList(value, node, trail, errors);
  else visitFields(value, node, trail, errors);
}

function visitFields(object: JsonObject, node: SchemaNode, trail: Trail, errors: FieldError[]): void {
  const { additionalProperties } = node;
  for (const name in object) {
    if (additionalProperties !== undefined) {
      trail.enterKey(name);
      visit(object[name]!, additionalProperties, trail, errors);
      trail.leave();
    }
    const property = node.property(name);
    if (property !== undefined) {
      trail.enter(name);
      visit(object[name]!, property, trail, errors);
      trail.leave();
    }
  }
}

function visitList(list: JsonValue[], node: SchemaNode, trail: Trail, errors: FieldError[]): void {
  if (node.listType === 'set') reportRepeated(list, list, trail, errors);
  else if (node.listType === 'map') checkKeys(list, node.listMapKeys, trail, errors);
  const { items } = node;
  if (items === undefined) return;
  for (let index = 0; index < list.length; index++) {
    trail.enter(index);
    visit(list[index]!, items, trail, errors);
    trail.leave();
  }
}

function checkKeys(list: JsonValue[], names: readonly string[], trail: Trail, errors: FieldError[]): void {
  const stray = list.findIndex((item) => item !== null && !isJsonObject(item));
  if (stray >= 0) {
    errors.push(fieldErrors.invalid(trail.path().index(stray), list[stray]!, 'must be an object for an array of list-type map'));
  } else if (list.length > 1) {
    reportRepeated(
      list.map((item) => keyOf(item, names)),
      list,
      trail,
      errors,
    );
  }
}

/** The part of an item that identifies it. */
function keyOf(item: JsonValue, names: readonly string[]): JsonObject {
  const key: JsonObject = {};
  if (isJsonObject(item)) for (const name of names) if (Object.hasOwn(item, name)) setMember(key, name, item[name]!);
  return key;
}

/** Only the second of equal values is reported, however many there are. */
function reportRepeated(keys: JsonValue[], list: JsonValue[], trail: Trail, errors: FieldError[]): void {
  if (list.length < 2) return;
  const seen = new Map<string, number>();
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!;
    const text = canonicalJson(key);
    const times = (seen.get(text) ?? 0) + 1;
    seen.set(text, times);
    if (times === 2) errors.push(fieldErrors.duplicate(trail.path().index(index), sortedJson(key)));
  }
}
