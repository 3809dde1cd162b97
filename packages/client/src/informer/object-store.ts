// The local store of an informer: objects by key. Returns what each write changed.
import type { KubeObject } from '@instar/machinery';

export type StoreChange<T> =
  | { readonly type: 'add'; readonly object: T }
  | { readonly type: 'update'; readonly old: T; readonly object: T }
  | { readonly type: 'delete'; readonly object: T };

/** `namespace/name`, or only the name of a cluster-scoped object. */
export function objectKey({ metadata: { namespace, name } }: KubeObject): string {
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

  put(object: T): StoreChange<T>[] {
    const key = objectKey(object);
    const old = this.#objects.get(key);
    this.#objects.set(key, object);
    if (old === undefined) return [{ type: 'add', object }];
    // Deleted and created again between two events: two objects that share a name.
    if (old.metadata.uid !== object.metadata.uid)
      return [
        { type: 'delete', object: old },
        { type: 'add', object },
      ];
    return old.metadata.resourceVersion === object.metadata.resourceVersion
      ? []
      : [{ type: 'update', old, object }];
  }

  remove(object: T): StoreChange<T>[] {
    return this.#objects.delete(objectKey(object)) ? [{ type: 'delete', object }] : [];
  }

  /** Replaces the contents by a new list. */
  replace(objects: readonly T[]): StoreChange<T>[] {
    const listed = new Set(objects.map(objectKey));
    const removed = this.values().filter((object) => !listed.has(objectKey(object)));
    return [
      ...removed.flatMap((object) => this.remove(object)),
      ...objects.flatMap((object) => this.put(object)),
    ];
  }
}
