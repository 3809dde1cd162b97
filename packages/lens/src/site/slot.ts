// A path in a site that an operation reads and writes. Parents are created when something is moved in, and
// removed when their last field is moved out, so that nothing empty is left behind.
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import { LensError } from '../lens-error.ts';
import { keysOf, type Path, printPath } from '../path/path.ts';
import { HERE, memberAt, type Owned, objectAt, ownObject, withoutMember, withRenamedMember } from './site.ts';

/** There is no value, but a parent that writing would change: an empty object, or null. */
export class Hole {
  readonly depth: number;
  readonly value: JsonValue;

  constructor(depth: number, value: JsonValue) {
    this.depth = depth;
    this.value = value;
  }
}

export type Held = JsonValue | Hole | undefined;

/** What an operation sees: a hole is nothing. */
export const seenIn = (held: Held): JsonValue | undefined => (held instanceof Hole ? undefined : held);

export const slotOf = (path: Path): Slot => new Slot(keysOf(path), printPath(path));

export class Slot {
  readonly text: string;
  /** From the site's box on. */
  readonly #keys: readonly string[];
  readonly #last: string;
  readonly #parents: number;

  constructor(path: readonly string[], text: string) {
    this.#keys = [HERE, ...path];
    this.text = text;
    this.#parents = path.length;
    this.#last = this.#keys[path.length]!;
  }

  value(site: JsonObject): JsonValue | undefined {
    const parent = objectAt(site, this.#keys, this.#parents);
    return parent === undefined ? undefined : memberAt(parent, this.#last);
  }

  read(site: JsonObject): Held {
    const keys = this.#keys;
    const parents = this.#parents;
    let here = site;
    for (let i = 0; i < parents; i++) {
      const next = memberAt(here, keys[i]!);
      if (!isJsonObject(next)) return next === null ? new Hole(i, null) : undefined;
      here = next;
    }
    const value = memberAt(here, this.#last);
    return value === undefined && parents > 1 && isEmpty(here) ? new Hole(parents - 1, {}) : value;
  }

  hasParent(site: JsonObject): boolean {
    return objectAt(site, this.#keys, this.#parents) !== undefined;
  }

  /** How many parents exist. */
  depth(site: JsonObject): number {
    let depth = 0;
    while (depth < this.#parents && objectAt(site, this.#keys, depth + 1) !== undefined) depth++;
    return depth;
  }

  /** Into an existing object. */
  put(site: JsonObject, value: JsonValue | undefined, owned: Owned): void {
    if (value === undefined) this.#take(site, this.#parents, owned);
    else this.#own(site, this.#parents, owned)[this.#last] = value;
  }

  write(site: JsonObject, value: JsonValue, owned: Owned): void {
    this.#make(site, this.#parents, owned)[this.#last] = value;
  }

  /** Removes the value, and the objects that become empty. The top of the site stays. */
  vacate(site: JsonObject, owned: Owned): void {
    let at = this.#parents;
    while (at > 1 && hasOnly(objectAt(site, this.#keys, at)!, this.#keys[at]!)) at--;
    this.#take(site, at, owned);
  }

  /** Renames the value in its parent; the new name must be free. */
  rename(site: JsonObject, to: string, owned: Owned): void {
    const holder = this.#own(site, this.#parents - 1, owned);
    const key = this.#keys[this.#parents - 1]!;
    holder[key] = withRenamedMember(holder[key] as JsonObject, this.#last, to, owned);
  }

  /** Restores an empty parent, unless something else is there by now. */
  dig(site: JsonObject, hole: Hole, owned: Owned): void {
    if (this.value(site) !== undefined) this.vacate(site, owned);
    const parent = this.#make(site, hole.depth, owned);
    const key = this.#keys[hole.depth]!;
    const now = memberAt(parent, key);
    if (now === undefined || now === null || (isJsonObject(now) && isEmpty(now))) parent[key] = hole.value;
  }

  /** Removes what is at the first keys up to and including `at`. */
  #take(site: JsonObject, at: number, owned: Owned): void {
    if (at === 0) {
      delete site[HERE];
      return;
    }
    const holder = this.#own(site, at - 1, owned);
    const key = this.#keys[at - 1]!;
    holder[key] = withoutMember(holder[key] as JsonObject, this.#keys[at]!, owned);
  }

  #own(site: JsonObject, depth: number, owned: Owned): JsonObject {
    let here = site;
    for (let i = 0; i < depth; i++) here = ownObject(here, this.#keys[i]!, owned);
    return here;
  }

  #make(site: JsonObject, depth: number, owned: Owned): JsonObject {
    let here = site;
    for (let i = 0; i < depth; i++) {
      const key = this.#keys[i]!;
      const next = memberAt(here, key);
      if (isJsonObject(next)) here = ownObject(here, key, owned);
      else if (next === undefined || next === null) here = freshObject(here, key, owned);
      else
        throw new LensError(
          'value',
          `cannot be written, since ${this.#keys.slice(1, i + 1).join('.')} is not an object`,
          this.text,
        );
    }
    return here;
  }
}

function freshObject(parent: JsonObject, key: string, owned: Owned): JsonObject {
  const made: JsonObject = {};
  owned.add(made);
  parent[key] = made;
  return made;
}

function isEmpty(object: JsonObject): boolean {
  for (const _ in object) return false;
  return true;
}

function hasOnly(object: JsonObject, key: string): boolean {
  for (const other in object) if (other !== key) return false;
  return true;
}
