// The order of merged lists: elements of the patch are in its order, the others keep the order of the server.

import { goTypeOf, printGo } from '@instar/go';
import { deepEqual } from '../deep-equal.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts';
import { PatchError } from './patch-error.ts';

export const noMergeKey = (item: JsonObject, mergeKey: string) =>
  new PatchError(`map: ${printGo(item)} does not contain declared merge key: ${mergeKey}`);

/**
 * What distinguishes elements: the value of the merge key, or the element itself if there is no merge key.
 */
export function identityOf(item: JsonValue, mergeKey: string): JsonValue {
  if (mergeKey === '') return item;
  if (!isJsonObject(item))
    throw new PatchError(`expected a map[string]interface {}, but received a ${goTypeOf(item)}`);
  if (!Object.hasOwn(item, mergeKey)) throw noMergeKey(item, mergeKey);
  return item[mergeKey]!;
}

export function indexByIdentity(list: readonly JsonValue[], identity: JsonValue, mergeKey: string): number {
  return list.findIndex((item, index) => {
    if (mergeKey === '') return deepEqual(item, identity);
    if (!isJsonObject(item)) throw new PatchError(`value for key ${index} is not a map`);
    return Object.hasOwn(item, mergeKey) && deepEqual(item[mergeKey], identity);
  });
}

/** Sorts `merged` by the order of the patch and that of the server. */
export function orderMerged(
  merged: readonly JsonValue[],
  patchOrder: readonly JsonValue[],
  serverOrder: readonly JsonValue[],
  mergeKey: string,
): JsonValue[] {
  const rank = (order: readonly JsonValue[], item: JsonValue) =>
    indexByIdentity(order, identityOf(item, mergeKey), mergeKey);
  const ranked = merged.map((item) => ({
    item,
    inPatch: rank(patchOrder, item),
    inServer: rank(serverOrder, item),
  }));
  const named = ranked.filter(({ inPatch }) => inPatch >= 0).sort((a, b) => a.inPatch - b.inPatch);
  const serverOnly = ranked.filter(({ inPatch }) => inPatch < 0).sort((a, b) => a.inServer - b.inServer);
  const ordered: JsonValue[] = [];
  while (named.length > 0 && serverOnly.length > 0) {
    const first = serverOnly[0]!;
    const second = named[0]!;
    const serverFirst = first.inServer >= 0 && second.inServer >= 0 && first.inServer < second.inServer;
    ordered.push((serverFirst ? serverOnly : named).shift()!.item);
  }
  return [...ordered, ...serverOnly.map(({ item }) => item), ...named.map(({ item }) => item)];
}
