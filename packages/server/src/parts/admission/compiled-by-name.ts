// Compiled objects by name. An object is compiled again only if its generation has changed: labels and status
// change more often than what is compiled.
import type { CachedObject } from '../../objects/cached-object.ts';

export class CompiledByName<T> {
  readonly #compile: (object: CachedObject) => T;
  readonly #byName = new Map<string, { readonly revision: string; readonly compiled: T }>();

  constructor(compile: (object: CachedObject) => T) {
    this.#compile = compile;
  }

  replace(objects: Iterable<CachedObject>): void {
    const missing = new Set(this.#byName.keys());
    for (const object of objects) {
      this.set(object);
      missing.delete(object.metadata.name!);
    }
    for (const name of missing) this.#byName.delete(name);
  }

  set(object: CachedObject): void {
    const { name, uid, generation } = object.metadata;
    const revision = `${uid}/${generation}`;
    if (this.#byName.get(name!)?.revision !== revision)
      this.#byName.set(name!, { revision, compiled: this.#compile(object) });
  }

  delete(name: string): void {
    this.#byName.delete(name);
  }

  /** In the order of the names. */
  values(): T[] {
    return [...this.#byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { compiled }]) => compiled);
  }
}
