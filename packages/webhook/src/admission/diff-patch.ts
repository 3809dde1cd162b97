// The JSON Patch that turns one object into another. Not always the smallest: between their common first and
// last items, lists are compared by position.
import {
  deepEqual,
  isJsonObject,
  type JsonObject,
  type JsonPatchOperation,
  type JsonValue,
  memberOf,
} from '@instar/machinery';

export function diffPatch(before: JsonObject, after: JsonObject): JsonPatchOperation[] {
  const operations: JsonPatchOperation[] = [];
  diffObjects(before, after, '', operations);
  return operations;
}

function diffValues(
  before: JsonValue,
  after: JsonValue,
  path: string,
  operations: JsonPatchOperation[],
): void {
  if (Array.isArray(before) && Array.isArray(after)) diffLists(before, after, path, operations);
  else if (isJsonObject(before) && isJsonObject(after)) diffObjects(before, after, path, operations);
  else if (!deepEqual(before, after)) operations.push({ op: 'replace', path, value: after });
}

function diffObjects(
  before: JsonObject,
  after: JsonObject,
  path: string,
  operations: JsonPatchOperation[],
): void {
  for (const key of Object.keys(before)) {
    // A member set to undefined does not exist in JSON.
    if (memberOf(after, key) === undefined)
      operations.push({ op: 'remove', path: `${path}/${escapePointer(key)}` });
  }
  for (const key of Object.keys(after)) {
    const value = after[key];
    if (value === undefined) continue;
    const at = `${path}/${escapePointer(key)}`;
    if (Object.hasOwn(before, key)) diffValues(before[key]!, value, at, operations);
    else operations.push({ op: 'add', path: at, value });
  }
}

function diffLists(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  path: string,
  operations: JsonPatchOperation[],
): void {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && deepEqual(before[start], after[start])) start++;
  let end = 0;
  while (end < shorter - start && deepEqual(before[before.length - 1 - end], after[after.length - 1 - end]))
    end++;
  const [oldEnd, newEnd] = [before.length - end, after.length - end];
  const common = Math.min(oldEnd, newEnd);
  for (let i = start; i < common; i++) diffValues(before[i]!, after[i]!, `${path}/${i}`, operations);
  // From the back, so that the indexes before stay valid.
  for (let i = oldEnd - 1; i >= common; i--) operations.push({ op: 'remove', path: `${path}/${i}` });
  for (let i = common; i < newEnd; i++)
    operations.push({ op: 'add', path: `${path}/${i}`, value: after[i]! });
}

const escapePointer = (key: string): string =>
  /[~/]/.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key;
