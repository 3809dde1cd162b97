// Which object owns which, by uid, as far as objects have been seen. The garbage collector acts on it.
import type { Resource } from '../../objects/resource.ts';

export interface Dependent {
  readonly id: string;
  readonly resource: Resource;
  readonly key: string;
}

interface Recorded extends Dependent {
  readonly owners: readonly string[];
}

export class OwnershipGraph {
  readonly #recorded = new Map<string, Recorded>();
  readonly #byOwner = new Map<string, Map<string, Dependent>>();
  /** Owners whose deletion was seen, as long as they have dependents. */
  readonly #deleted = new Set<string>();

  get isEmpty(): boolean {
    return this.#recorded.size === 0;
  }

  idOf({ definition }: Resource, key: string): string {
    return `${definition.group}/${definition.names.plural} ${key}`;
  }

  parseId(id: string): { group: string; plural: string; key: string } {
    const space = id.indexOf(' ');
    const slash = id.indexOf('/');
    return { group: id.slice(0, slash), plural: id.slice(slash + 1, space), key: id.slice(space + 1) };
  }

  has(id: string): boolean {
    return this.#recorded.has(id);
  }

  /** Sets the owners of an object. */
  record(dependent: Dependent, owners: readonly string[]): void {
    const { id } = dependent;
    const before = this.#recorded.get(id)?.owners ?? [];
    if (owners.length === 0) this.#recorded.delete(id);
    else this.#recorded.set(id, { ...dependent, owners });
    for (const uid of owners) {
      const dependents = this.#byOwner.get(uid) ?? new Map<string, Dependent>();
      this.#byOwner.set(uid, dependents.set(id, dependent));
    }
    for (const uid of before) if (!owners.includes(uid)) this.#release(uid, id);
  }

  delete(id: string): void {
    const known = this.#recorded.get(id);
    if (known !== undefined) this.record(known, []);
  }

  /** Deletes the objects of a resource that are not at these keys. */
  deleteMissing(resource: Resource, present: ReadonlySet<string>): void {
    for (const { id, key, resource: of } of [...this.#recorded.values()])
      if (of === resource && !present.has(key)) this.delete(id);
  }

  /** Records that the deletion of an owner was seen; returns its dependents. */
  recordDeletion(uid: string): Dependent[] {
    if (this.#byOwner.has(uid)) this.#deleted.add(uid);
    return this.dependentsOf(uid);
  }

  hasSeenDeletionOf(uid: string): boolean {
    return this.#deleted.has(uid);
  }

  dependentsOf(uid: string): Dependent[] {
    return [...(this.#byOwner.get(uid)?.values() ?? [])];
  }

  #release(uid: string, id: string): void {
    const dependents = this.#byOwner.get(uid);
    dependents?.delete(id);
    if (dependents?.size !== 0) return;
    this.#byOwner.delete(uid);
    this.#deleted.delete(uid);
  }
}
