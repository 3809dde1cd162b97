// What an informer knows: objects by key. Says what a change means, and tells nobody.
import type { KubeObject } from '@instar/machinery';

export type Change<T> =
  | { readonly type: 'add'; readonly object: T }
  | { readonly type: 'update'; readonly old: T; readonly object: T }
  | { readonly type: 'delete'; readonly object: T };

/** `namespace/name`, or the name alone of what has no namespace. */
export function keyOf({ metadata: { namespace, name } }: KubeObject): string {
  return namespace === undefined || namespace === '' ? name! : `${namespace}/${name}`;
}

export class ObjectStore<T extends KubeObject> {
  readonly #objects = new Map<string, T>();

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  values(): T[] {
    return [...this.#objects.values()];
  }

  put(object: T): Change<T>[] {
    const key = keyOf(object);
    const old = this.#objects.get(key);
    this.#objects.set(key, object);
    if (old === undefined) return [{ type: 'add', object }];
    // Deleted and made again while nobody looked: two objects that share a name.
    if (old.metadata.uid !== object.metadata.uid)
      return [
        { type: 'delete', object: old },
        { type: 'add', object },
      ];
    return old.metadata.resourceVersion === object.metadata.resourceVersion
      ? []
      : [{ type: 'update', old, object }];
  }

  remove(object: T): Change<T>[] {
    return this.#objects.delete(keyOf(object)) ? [{ type: 'delete', object }] : [];
  }

  /** What a new list means for what was known before. */
  replace(objects: readonly T[]): Change<T>[] {
    const listed = new Set(objects.map(keyOf));
    const gone = this.values().filter((object) => !listed.has(keyOf(object)));
    return [
      ...gone.flatMap((object) => this.remove(object)),
      ...objects.flatMap((object) => this.put(object)),
    ];
  }
}
