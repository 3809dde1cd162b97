// Who owns whom, by uid, as far as objects have been seen. Pure bookkeeping: what follows from it is the
// garbage collector's.
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

  partsOf(id: string): { group: string; plural: string; key: string } {
    const space = id.indexOf(' ');
    const slash = id.indexOf('/');
    return { group: id.slice(0, slash), plural: id.slice(slash + 1, space), key: id.slice(space + 1) };
  }

  has(id: string): boolean {
    return this.#recorded.has(id);
  }

  /** The owners of an object as they are now. */
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

  /** The object has gone. */
  forget(id: string): void {
    const known = this.#recorded.get(id);
    if (known !== undefined) this.record(known, []);
  }

  /** Objects of a resource that are not at these keys have gone. */
  forgetResource(resource: Resource, present: ReadonlySet<string>): void {
    for (const { id, key, resource: of } of [...this.#recorded.values()])
      if (of === resource && !present.has(key)) this.forget(id);
  }

  /** Notes that an owner was seen to go; answers with its dependents. */
  ownerGone(uid: string): Dependent[] {
    if (this.#byOwner.has(uid)) this.#deleted.add(uid);
    return this.dependentsOf(uid);
  }

  sawDeletionOf(uid: string): boolean {
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
