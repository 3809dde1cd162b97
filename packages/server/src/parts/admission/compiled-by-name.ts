// What was compiled of objects, by their names. An object is compiled again when its generation says that it
// means something else: labels and status change more often than what there is to compile.
import type { CachedObject } from '../../objects/cached-object.ts';

export class CompiledByName<T> {
  readonly #compile: (object: CachedObject) => T;
  readonly #known = new Map<string, { readonly meaning: string; readonly compiled: T }>();

  constructor(compile: (object: CachedObject) => T) {
    this.#compile = compile;
  }

  replace(objects: Iterable<CachedObject>): void {
    const gone = new Set(this.#known.keys());
    for (const object of objects) {
      this.set(object);
      gone.delete(object.metadata.name!);
    }
    for (const name of gone) this.#known.delete(name);
  }

  set(object: CachedObject): void {
    const { name, uid, generation } = object.metadata;
    const meaning = `${uid}/${generation}`;
    if (this.#known.get(name!)?.meaning !== meaning)
      this.#known.set(name!, { meaning, compiled: this.#compile(object) });
  }

  delete(name: string): void {
    this.#known.delete(name);
  }

  /** In the order of the names. */
  values(): T[] {
    return [...this.#known].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { compiled }]) => compiled);
  }
}
