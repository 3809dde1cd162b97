// Where operations work: a box around a value, so that the value itself can be replaced too. Objects along a path are copied before they are
// changed and never twice; what is not touched is shared with the object that came in.
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';

/** The key under which a site holds its value. */
export const HERE = '@';

export interface Site {
  [HERE]: JsonValue;
}

/** The objects and lists that this conversion made and may change. */
export type Owned = Set<object>;

export function ownObject(parent: JsonObject, key: string, owned: Owned): JsonObject {
  const value = parent[key] as JsonObject;
  if (owned.has(value)) return value;
  const copy = { ...value };
  owned.add(copy);
  parent[key] = copy;
  return copy;
}

export function ownList(parent: JsonObject, key: string, owned: Owned): JsonValue[] {
  const value = parent[key] as JsonValue[];
  if (owned.has(value)) return value;
  const copy = value.slice();
  owned.add(copy);
  parent[key] = copy;
  return copy;
}

/** The object at `keys[0..length)`, or undefined if there is none on the way. Never copies. */
export function objectAt(site: JsonObject, keys: readonly string[], length: number): JsonObject | undefined {
  let here = site;
  for (let i = 0; i < length; i++) {
    const next = Object.hasOwn(here, keys[i]!) ? here[keys[i]!] : undefined;
    if (!isJsonObject(next)) return undefined;
    here = next;
  }
  return here;
}
