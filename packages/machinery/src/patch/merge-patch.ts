// JSON Merge Patch (RFC 7386) as kube-apiserver's library applies it: nulls are also dropped from objects
// inside lists that replace something other than an object.
import { deepCopy, memberOf, setMember } from '../deep-copy.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts';
import { PatchError } from './patch-error.ts';

/** Neither argument is changed. Throws PatchError if the patch is not an object. */
export function applyMergePatch(document: JsonObject, patch: JsonValue): JsonObject {
  if (!isJsonObject(patch)) throw new PatchError('Invalid JSON Patch');
  return mergeObjects(document, patch);
}

function mergeObjects(document: JsonObject, patch: JsonObject): JsonObject {
  const merged: JsonObject = {};
  for (const key of Object.keys(document)) {
    const change = memberOf(patch, key);
    if (change === null) continue;
    setMember(merged, key, change === undefined ? deepCopy(document[key]!) : merge(document[key]!, change));
  }
  for (const key of Object.keys(patch)) {
    if (patch[key] !== null && !Object.hasOwn(document, key))
      setMember(merged, key, withoutNulls(patch[key]!));
  }
  return merged;
}

function merge(current: JsonValue, patch: JsonValue): JsonValue {
  if (!isJsonObject(current)) return withoutNulls(patch);
  return isJsonObject(patch) ? mergeObjects(current, patch) : deepCopy(patch);
}

/** A copy without the members that are null, at any depth. Elements of lists stay. */
function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const kept: JsonObject = {};
  for (const key of Object.keys(value))
    if (value[key] !== null) setMember(kept, key, withoutNulls(value[key]!));
  return kept;
}
