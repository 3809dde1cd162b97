// Merges an applied configuration into an object: sets what it mentions, keeps everything else, removes
// nothing. The result shares unmerged parts with both.
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import { mergeItems } from './merge-items.ts';
import { formOf, type MapType, type MergeType, typeOfKey } from './merge-type.ts';

export function mergeObjects(live: JsonObject, applied: JsonObject, type: MergeType): JsonObject {
  return merge(live, applied, type) as JsonObject;
}

function merge(live: JsonValue | undefined, applied: JsonValue | undefined, type: MergeType): JsonValue {
  if (applied === undefined) return live!;
  if (live === undefined || live === applied) return applied;
  switch (formOf(type, applied)) {
    case 'scalar':
      return applied;
    case 'list':
      return type.list!.relation === 'atomic'
        ? applied
        : mergeItems(itemsOf(live), itemsOf(applied), type.list!, applied, merge);
    case 'map':
    case 'any':
      return type.map!.atomic ? applied : mergeKeys(keysOf(live), keysOf(applied), type.map!, applied);
  }
}

const itemsOf = (value: JsonValue): JsonValue[] => (Array.isArray(value) ? value : []);
const keysOf = (value: JsonValue): JsonObject => (isJsonObject(value) ? value : {});

/**
 * Two empty values are not merged: the applied one is used, so that null stays null and an empty object
 * empty.
 */
function mergeKeys(live: JsonObject, applied: JsonObject, map: MapType, whole: JsonValue): JsonValue {
  const appliedKeys = Object.keys(applied);
  if (appliedKeys.length === 0) return Object.keys(live).length === 0 ? whole : live;
  const merged: JsonObject = { ...live };
  for (const key of appliedKeys) {
    setOwn(
      merged,
      key,
      merge(Object.hasOwn(live, key) ? live[key] : undefined, applied[key], typeOfKey(map, key)),
    );
  }
  return merged;
}

/** A plain assignment would not treat `__proto__` as a key. */
function setOwn(object: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}
