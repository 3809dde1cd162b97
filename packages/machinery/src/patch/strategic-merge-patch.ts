// Strategic merge patch: merges objects, and lists by the merge key that the schema names, with the
// directives $patch, $retainKeys, $deleteFromPrimitiveList and $setElementOrder. Built-in kinds only; custom
// resources do not support it.

import { goTypeOf, printGo } from '@instar/go';
import { deepCopy, memberOf, setMember } from '../deep-copy.ts';
import { deepEqual } from '../deep-equal.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts';
import { identityOf, indexByIdentity, noMergeKey, orderMerged } from './list-order.ts';
import { PatchError } from './patch-error.ts';
import { fieldSchema, itemSchema, type PatchSchema, patchStrategyOf } from './patch-schema.ts';

const DIRECTIVE = '$patch';
const RETAIN_KEYS = '$retainKeys';
const DELETE_FROM_LIST = '$deleteFromPrimitiveList';
const SET_ORDER = '$setElementOrder';

/** No argument is changed. Throws PatchError. */
export function applyStrategicMergePatch(
  document: JsonObject,
  patch: JsonValue,
  schema: PatchSchema,
): JsonObject {
  if (!isJsonObject(patch)) throw new PatchError('invalid JSON document');
  return mergeObjects(deepCopy(document), deepCopy(patch), schema);
}

/** Changes its arguments. */
function mergeObjects(original: JsonObject, patch: JsonObject, schema: PatchSchema): JsonObject {
  const directive = memberOf(patch, DIRECTIVE);
  if (directive !== undefined) return applyDirective(directive, patch);
  retainKeys(original, patch);
  applyElementOrders(original, patch, schema);
  for (const key of Object.keys(patch)) {
    if (key.startsWith(DELETE_FROM_LIST))
      deleteFromList(original, listNamed(key, DELETE_FROM_LIST), patch[key]!);
    else mergeMember(original, key, patch[key]!, schema);
  }
  return original;
}

function applyDirective(directive: JsonValue, patch: JsonObject): JsonObject {
  if (directive === 'delete') return {};
  if (directive !== 'replace')
    throw new PatchError(`unknown patch type: ${printAsText(directive)} in map: ${printGo(patch)}`);
  delete patch[DIRECTIVE];
  return patch;
}

/** Go's %s. */
function printAsText(value: JsonValue): string {
  const isOther = typeof value === 'number' || typeof value === 'boolean';
  return isOther ? `%!s(${goTypeOf(value)}=${printGo(value)})` : printGo(value);
}

function mergeMember(original: JsonObject, key: string, change: JsonValue, schema: PatchSchema): void {
  const current = memberOf(original, key);
  if (change === null) delete original[key];
  else if (isJsonObject(current) && isJsonObject(change)) {
    const sub = fieldSchema(schema, key);
    setMember(
      original,
      key,
      patchStrategyOf(sub) === 'replace' ? change : mergeObjects(current, change, sub),
    );
  } else if (Array.isArray(current) && Array.isArray(change)) {
    setMember(original, key, mergeListsByStrategy(current, change, fieldSchema(schema, key)));
  } else replaceMember(original, key, change);
}

/** A new member is taken from the patch, without its nulls and directives. */
function replaceMember(original: JsonObject, key: string, change: JsonValue): void {
  discardNulls(change);
  const kept = withoutDirectives(change);
  if (kept === undefined) delete original[key];
  else setMember(original, key, kept);
}

function discardNulls(value: JsonValue): void {
  if (Array.isArray(value)) value.forEach(discardNulls);
  else if (isJsonObject(value)) {
    for (const key of Object.keys(value)) {
      if (value[key] === null) delete value[key];
      else discardNulls(value[key]!);
    }
  }
}

/** Undefined for an object that is a directive itself. */
function withoutDirectives(value: JsonValue): JsonValue | undefined {
  if (Array.isArray(value)) return value.map(withoutDirectives).filter((item) => item !== undefined);
  if (!isJsonObject(value)) return value;
  if (Object.hasOwn(value, DIRECTIVE)) return undefined;
  for (const key of Object.keys(value)) {
    const kept = withoutDirectives(value[key]!);
    if (kept === undefined) delete value[key];
    else setMember(value, key, kept);
  }
  return value;
}

/**
 * $retainKeys lists the keys to keep: the others are removed from the original, and the patch must not set
 * them.
 */
function retainKeys(original: JsonObject, patch: JsonObject): void {
  const list = memberOf(patch, RETAIN_KEYS);
  if (list === undefined) return;
  delete patch[RETAIN_KEYS];
  if (!Array.isArray(list)) throw new PatchError('invalid patch format of retainKeys');
  const retained = new Set(list);
  for (const key of Object.keys(patch)) {
    if (patch[key] === null || key.startsWith(DELETE_FROM_LIST) || key.startsWith(SET_ORDER)) continue;
    if (!retained.has(key)) throw new PatchError('invalid patch format of retainKeys');
  }
  for (const key of Object.keys(original)) if (!retained.has(key)) delete original[key];
}

function listNamed(key: string, prefix: string): string {
  if (key.startsWith(`${prefix}/`)) return key.slice(prefix.length + 1);
  throw new PatchError(
    `invalid patch format of ${prefix === SET_ORDER ? 'setElementOrder' : 'primitive'} list`,
  );
}

function asList(value: JsonValue): JsonValue[] {
  if (!Array.isArray(value))
    throw new PatchError(`expected a []interface {}, but received a ${goTypeOf(value)}`);
  return value;
}

function deleteFromList(original: JsonObject, key: string, unwanted: JsonValue): void {
  const current = memberOf(original, key);
  if (!Array.isArray(current) || !Array.isArray(unwanted)) return;
  requireSameType(current, unwanted);
  setMember(
    original,
    key,
    current.filter((item) => !unwanted.some((other) => deepEqual(item, other))),
  );
}

/** Merges and sorts each list that has a $setElementOrder, and removes both from the patch. */
function applyElementOrders(original: JsonObject, patch: JsonObject, schema: PatchSchema): void {
  for (const directive of Object.keys(patch).filter((key) => key.startsWith(SET_ORDER))) {
    const order = asList(patch[directive]!);
    delete patch[directive];
    const key = listNamed(directive, SET_ORDER);
    const current = memberOf(original, key);
    const change = memberOf(patch, key);
    const currentList = current === undefined ? undefined : asList(current);
    const changeList = change === undefined ? undefined : asList(change);
    const sub = fieldSchema(schema, key);
    if (changeList !== undefined) requireOrder(changeList, order, sub.patchMergeKey ?? '');
    const serverOrder = [...(currentList ?? [])];
    const merged = mergedForOrder(currentList, changeList, sub);
    if (merged === undefined) continue;
    requireSameType(serverOrder, changeList ?? []);
    setMember(original, key, orderMerged(merged, order, serverOrder, sub.patchMergeKey ?? ''));
    delete patch[key];
  }
}

function mergedForOrder(
  current: JsonValue[] | undefined,
  change: JsonValue[] | undefined,
  schema: PatchSchema,
): JsonValue[] | undefined {
  if (change === undefined) return current;
  return current === undefined
    ? (withoutDirectives(change) as JsonValue[])
    : mergeListsByStrategy(current, change, schema);
}

/** The elements of the patch must be in the order of the directive. */
function requireOrder(list: readonly JsonValue[], order: readonly JsonValue[], mergeKey: string): void {
  if (order.length === 0) return;
  const elements = list.filter((item) => !isJsonObject(item) || !Object.hasOwn(item, DIRECTIVE));
  let next = 0;
  for (const wanted of order) {
    const element = elements[next];
    if (element !== undefined && deepEqual(identityOf(element, mergeKey), identityOf(wanted, mergeKey)))
      next++;
  }
  if (next < elements.length) {
    throw new PatchError(
      `The order in patch list:\n${printGo([...list])}\n doesn't match ${SET_ORDER} list:\n${printGo([...order])}\n`,
    );
  }
}

function mergeListsByStrategy(current: JsonValue[], change: JsonValue[], schema: PatchSchema): JsonValue[] {
  return patchStrategyOf(schema) === 'merge' ? mergeLists(current, change, schema) : change;
}

function mergeLists(current: JsonValue[], change: JsonValue[], schema: PatchSchema): JsonValue[] {
  const first = current[0] ?? change[0];
  if (first === undefined) return current;
  requireSameType(current, change);
  const mergeKey = schema.patchMergeKey ?? '';
  if (!isJsonObject(first))
    return orderMerged(withoutRepetitions([...current, ...change]), change, current, mergeKey);
  if (mergeKey === '') throw new PatchError('cannot merge lists without merge key');
  const { kept, changes } = applyListDirectives(current, change as JsonObject[], mergeKey);
  return orderMerged(mergeItems([...kept], changes, mergeKey, itemSchema(schema)), changes, kept, mergeKey);
}

function mergeItems(
  merged: JsonValue[],
  changes: readonly JsonObject[],
  mergeKey: string,
  schema: PatchSchema,
): JsonValue[] {
  for (const change of changes) {
    const index = indexByIdentity(merged, identityOf(change, mergeKey), mergeKey);
    if (index < 0) merged.push(change);
    else merged[index] = mergeObjects(merged[index] as JsonObject, change, schema);
  }
  return merged;
}

/**
 * An element with `$patch: delete` removes the element with its key; with `$patch: replace`, the other
 * elements of the patch replace the list.
 */
function applyListDirectives(
  current: JsonValue[],
  change: readonly JsonObject[],
  mergeKey: string,
): { kept: JsonValue[]; changes: JsonObject[] } {
  const changes = change.filter((item) => !Object.hasOwn(item, DIRECTIVE));
  let kept = current;
  let replace = false;
  for (const item of change.filter((each) => Object.hasOwn(each, DIRECTIVE))) {
    const directive = item[DIRECTIVE]!;
    if (directive === 'replace') replace = true;
    else if (directive === 'merge')
      throw new PatchError('merging lists cannot yet be specified in the patch');
    else if (directive !== 'delete')
      throw new PatchError(`unknown patch type: ${printGo(directive)} in map: ${printGo(item)}`);
    else if (!Object.hasOwn(item, mergeKey)) throw noMergeKey(item, mergeKey);
    else
      kept = kept.filter(
        (other) => !isJsonObject(other) || !deepEqual(memberOf(other, mergeKey), item[mergeKey]),
      );
  }
  return replace ? { kept: changes, changes: [] } : { kept, changes };
}

function withoutRepetitions(list: readonly JsonValue[]): JsonValue[] {
  return list.filter((item, index) => list.findIndex((other) => deepEqual(item, other)) === index);
}

function requireSameType(...lists: readonly (readonly JsonValue[])[]): void {
  const types = new Set(lists.flat().map(goTypeOf));
  if (types.has('[]interface {}')) throw new PatchError('lists of lists are not supported');
  if (types.size > 1)
    throw new PatchError(`list element types are not identical: ${printGo(lists.map((list) => [...list]))}`);
  if (types.size === 0) throw new PatchError('no elements in any of the given slices');
}
