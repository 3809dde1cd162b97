// The roles that one subject holds in one scope: a namespace, or the whole cluster. Most subjects hold few
// roles, which are tried one by one. Beyond that an index by resource says which of them can allow a request;
// it is changed with every role and binding, never rebuilt.
import type { AccessQuery } from './access-query.ts';
import type { CompiledRole } from './compiled-role.ts';
import type { Grant } from './grant.ts';

/** A role that bindings name, whether or not it exists. */
export interface RoleSlot {
  readonly key: string;
  role: CompiledRole | undefined;
  readonly holders: Set<HeldRoles>;
}

const MAX_TRIED = 8;

export class HeldRoles {
  readonly #grants = new Map<RoleSlot, Set<Grant>>();
  #byKey: Map<string, Set<RoleSlot>> | undefined;

  get isEmpty(): boolean {
    return this.#grants.size === 0;
  }

  add(slot: RoleSlot, grant: Grant): void {
    const grants = this.#grants.get(slot);
    if (grants !== undefined) {
      grants.add(grant);
      return;
    }
    this.#grants.set(slot, new Set([grant]));
    slot.holders.add(this);
    if (this.#byKey !== undefined) this.index(slot);
    else if (this.#grants.size > MAX_TRIED) this.#indexAll();
  }

  remove(slot: RoleSlot, grant: Grant): void {
    const grants = this.#grants.get(slot);
    if (grants === undefined) return;
    grants.delete(grant);
    if (grants.size > 0) return;
    this.unindex(slot);
    this.#grants.delete(slot);
    slot.holders.delete(this);
  }

  /** Before the rules of a role that is held change. */
  unindex(slot: RoleSlot): void {
    if (this.#byKey === undefined || slot.role === undefined) return;
    for (const key of slot.role.keys()) this.#byKey.get(key)?.delete(slot);
  }

  /** After they have changed. */
  index(slot: RoleSlot): void {
    if (this.#byKey === undefined || slot.role === undefined) return;
    for (const key of slot.role.keys()) {
      const slots = this.#byKey.get(key);
      if (slots === undefined) this.#byKey.set(key, new Set([slot]));
      else slots.add(slot);
    }
  }

  /** A grant that allows the request. */
  find(query: AccessQuery): Grant | undefined {
    if (this.#byKey === undefined) return this.#firstOf(this.#grants.keys(), query);
    for (const key of query.keys) {
      const slots = this.#byKey.get(key);
      const found = slots === undefined ? undefined : this.#firstOf(slots, query);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  collect(into: Set<Grant>): void {
    for (const grants of this.#grants.values()) for (const grant of grants) into.add(grant);
  }

  #firstOf(slots: Iterable<RoleSlot>, query: AccessQuery): Grant | undefined {
    for (const slot of slots)
      if (slot.role?.allows(query)) for (const grant of this.#grants.get(slot)!) return grant;
    return undefined;
  }

  #indexAll(): void {
    this.#byKey = new Map();
    for (const slot of this.#grants.keys()) this.index(slot);
  }
}
