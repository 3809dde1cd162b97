// Where operations work: a box around a value, so that the value itself can be replaced too. Objects along a
// path are copied before they are changed, and never twice; what is not touched is shared with the original.
import { isJsonObject, type JsonObject, type JsonValue, setMember } from '@instar/machinery';

/** The key under which a site holds its value. */
export const HERE = '@';

const REMEMBERED = 16;

/**
 * The objects and lists that this conversion created and may change: the last few of them. One that is
 * forgotten is copied again, which is cheap; a set of all of them would cost more than the conversion of a
 * small object.
 */
export class Owned {
  #last: object[] = [];
  #next = 0;

  has(object: object): boolean {
    const last = this.#last;
    for (let i = 0; i < last.length; i++) if (last[i] === object) return true;
    return false;
  }

  add(object: object): void {
    this.#last[this.#next] = object;
    this.#next = (this.#next + 1) % REMEMBERED;
  }

  /**
   * For when a value has come to be in two positions: from here on anything is copied before it is changed.
   */
  forget(): void {
    this.#last = [];
    this.#next = 0;
  }
}

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

/**
 * The own member of the object. What objects inherit are functions, which JSON never contains; and paths
 * never name `__proto__`.
 */
export function memberAt(object: JsonObject, key: string): JsonValue | undefined {
  const value = object[key];
  return typeof value === 'function' ? undefined : value;
}

/** The object at `keys[0..length)`, or undefined if there is none. Never copies. */
export function objectAt(site: JsonObject, keys: readonly string[], length: number): JsonObject | undefined {
  let here = site;
  for (let i = 0; i < length; i++) {
    const next = memberAt(here, keys[i]!);
    if (!isJsonObject(next)) return undefined;
    here = next;
  }
  return here;
}

/**
 * A copy without one member. Deleting from an object would make all later work with it several times slower.
 */
export function withoutMember(object: JsonObject, key: string, owned: Owned): JsonObject {
  const copy: JsonObject = {};
  for (const other in object) {
    if (other === key) continue;
    if (other === '__proto__') setMember(copy, other, object[other]!);
    else copy[other] = object[other]!;
  }
  owned.add(copy);
  return copy;
}

/** A copy in which a member has another name, in the same position. */
export function withRenamedMember(object: JsonObject, from: string, to: string, owned: Owned): JsonObject {
  const copy: JsonObject = {};
  for (const other in object) {
    if (other === '__proto__') setMember(copy, other, object[other]!);
    else copy[other === from ? to : other] = object[other]!;
  }
  owned.add(copy);
  return copy;
}
