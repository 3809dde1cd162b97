// How many objects of one resource are stored in which version, in which namespace, and which versions their
// managedFields name. It holds counts and no objects, so that its memory does not grow with their number.
// Changes are reported to it.
import type { CachedObject } from '../../objects/cached-object.ts';

/** Objects by namespace; the empty one is for kinds without namespaces. */
type ByNamespace = ReadonlyMap<string, number>;

export class Census {
  readonly #prefix: string;
  readonly #namespaced: boolean;
  readonly #stored = new Map<string, Map<string, number>>();
  readonly #managed = new Map<string, number>();
  #objects = 0;

  /** `prefix` is what all keys of the resource start with. */
  constructor(prefix: string, namespaced: boolean) {
    this.#prefix = prefix;
    this.#namespaced = namespaced;
  }

  get objects(): number {
    return this.#objects;
  }

  /** By the apiVersion in which they are stored. */
  get stored(): ReadonlyMap<string, ByNamespace> {
    return this.#stored;
  }

  /** How many objects have managedFields that name the apiVersion. */
  get managed(): ReadonlyMap<string, number> {
    return this.#managed;
  }

  storedIn(apiVersion: string): number {
    let sum = 0;
    for (const count of this.#stored.get(apiVersion)?.values() ?? []) sum += count;
    return sum;
  }

  /**
   * Adds an object, or subtracts one that was added before or will be: the order does not matter to the sum.
   */
  count(object: CachedObject, by: 1 | -1): void {
    this.#objects += by;
    const version = object.storedApiVersion;
    const namespaces = this.#stored.get(version) ?? new Map<string, number>();
    addTo(namespaces, this.#namespaceOf(object.key), by);
    if (namespaces.size > 0) this.#stored.set(version, namespaces);
    else this.#stored.delete(version);
    for (const managed of object.managedVersions()) addTo(this.#managed, managed, by);
  }

  #namespaceOf(key: string): string {
    return this.#namespaced ? key.slice(this.#prefix.length, key.indexOf('/', this.#prefix.length)) : '';
  }
}

function addTo(counts: Map<string, number>, key: string, by: number): void {
  const sum = (counts.get(key) ?? 0) + by;
  if (sum === 0) counts.delete(key);
  else counts.set(key, sum);
}
