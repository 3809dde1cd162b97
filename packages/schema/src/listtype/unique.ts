// Checks x-kubernetes-list-type: the items of a set must be unique, and so must the keys of the items of a
// map.
import {
  encodeGoJson,
  type FieldError,
  type FieldPath,
  fieldErrors,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setMember,
} from '@instar/machinery';
import { Trail } from '../trail.ts';
import type { SchemaNode } from '../tree/schema-node.ts';
import { HAS_LIST_TYPE } from '../tree/survey.ts';

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
  if (node.listType === 'set') checkSet(list, trail, errors);
  else if (node.listType === 'map') checkKeys(list, node.listMapKeys, trail, errors);
  const { items } = node;
  if (items === undefined || (items.facets & HAS_LIST_TYPE) === 0) return;
  for (let index = 0; index < list.length; index++) {
    trail.enter(index);
    visit(list[index]!, items, trail, errors);
    trail.leave();
  }
}

function checkSet(list: JsonValue[], trail: Trail, errors: FieldError[]): void {
  for (const index of repeated(list, identityOf)) {
    errors.push(fieldErrors.duplicate(trail.path().index(index), list[index]!));
  }
}

function checkKeys(list: JsonValue[], names: readonly string[], trail: Trail, errors: FieldError[]): void {
  const notObject = list.findIndex((item) => item !== null && !isJsonObject(item));
  if (notObject >= 0) {
    errors.push(
      fieldErrors.invalid(
        trail.path().index(notObject),
        list[notObject]!,
        'must be an object for an array of list-type map',
      ),
    );
    return;
  }
  const only = names.length === 1 ? names[0]! : undefined;
  const identity =
    only === undefined
      ? (item: JsonValue) => encodeGoJson(keyOf(item, names))
      : (item: JsonValue) => memberIdentity(item, only);
  for (const index of repeated(list, identity)) {
    errors.push(fieldErrors.duplicate(trail.path().index(index), keyOf(list[index]!, names)));
  }
}

/** The part of an item that identifies it. */
function keyOf(item: JsonValue, names: readonly string[]): JsonValue {
  const key: JsonObject = {};
  if (isJsonObject(item))
    for (const name of names) if (Object.hasOwn(item, name)) setMember(key, name, item[name]!);
  return key;
}

const NONE: readonly number[] = [];

/** Of equal items only the second is reported. */
function repeated(list: JsonValue[], identity: (item: JsonValue) => unknown): readonly number[] {
  if (list.length < 2) return NONE;
  const identities = list.map(identity);
  if (new Set(identities).size === list.length) return NONE;
  const seen = new Map<unknown, number>();
  return identities.flatMap((one, index) => {
    const times = (seen.get(one) ?? 0) + 1;
    seen.set(one, times);
    return times === 2 ? [index] : [];
  });
}

/**
 * Scalars are compared as such; lists and objects by their encoding, with a prefix to distinguish it from a
 * string.
 */
function identityOf(item: JsonValue): unknown {
  return typeof item === 'object' && item !== null ? `\u0000${encodeGoJson(item)}` : item;
}

/** Items without the key are equal. */
function memberIdentity(item: JsonValue, name: string): unknown {
  return isJsonObject(item) && Object.hasOwn(item, name) ? identityOf(item[name]!) : undefined;
}
