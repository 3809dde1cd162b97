// All roles and bindings, as decisions need them: from a scope and a subject to the roles that it holds.
// Changes are applied one by one; each costs as much as what it changes, not as much as what exists.
import type { PolicyRule, RoleRef } from '../../../kinds/validate/rbac.ts';
import type { UserInfo } from '../../../wire/exchange.ts';
import type { AccessQuery } from './access-query.ts';
import { CompiledRole } from './compiled-role.ts';
import { type BindingObject, Grant, holderOf } from './grant.ts';
import { HeldRoles, type RoleSlot } from './held-roles.ts';

interface Scope {
  readonly users: Map<string, HeldRoles>;
  readonly groups: Map<string, HeldRoles>;
}

export class RoleIndex {
  readonly #slots = new Map<string, RoleSlot>();
  /** By namespace; '' is the cluster. */
  readonly #scopes = new Map<string, Scope>();
  readonly #grants = new Map<string, Grant>();
  /** Roles that bindings name and that do not exist. */
  readonly #missing = new Set<RoleSlot>();

  /** `namespace` is '' for a cluster role. */
  setRole(namespace: string, name: string, rules: readonly PolicyRule[] | undefined): void {
    const slot = this.#slot(namespace, name);
    for (const holder of slot.holders) holder.unindex(slot);
    slot.role = rules === undefined ? undefined : new CompiledRole(rules);
    for (const holder of slot.holders) holder.index(slot);
    this.#settle(slot);
  }

  setBinding(binding: BindingObject): void {
    const { name = '', namespace = '' } = binding.metadata;
    this.deleteBinding(namespace, name);
    const { roleRef } = binding;
    const grant = new Grant(binding, this.#slot(roleRef.kind === 'Role' ? namespace : '', roleRef.name));
    this.#grants.set(pair(namespace, name), grant);
    for (const subject of grant.subjects) this.#heldBy(grant, subject, true)?.add(grant.slot, grant);
    this.#settle(grant.slot);
  }

  /** False: a refusal has no other reason than that no rule allows the request. */
  get hasMissingRoles(): boolean {
    return this.#missing.size > 0;
  }

  deleteBinding(namespace: string, name: string): void {
    const grant = this.#grants.get(pair(namespace, name));
    if (grant === undefined) return;
    this.#grants.delete(pair(namespace, name));
    for (const subject of grant.subjects) this.#release(grant, subject);
    this.#settle(grant.slot);
  }

  /** The rules of a role that a binding in `namespace` may name; undefined: it does not exist. */
  rulesOf({ kind, name }: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    return this.#slots.get(pair(kind === 'Role' ? namespace : '', name))?.role?.rules;
  }

  roleKeys(isCluster: boolean): { namespace: string; name: string }[] {
    return [...this.#slots.values()]
      .filter(({ role }) => role !== undefined)
      .map(({ key }) => split(key))
      .filter(({ namespace }) => (namespace === '') === isCluster);
  }

  bindingKeys(isCluster: boolean): { namespace: string; name: string }[] {
    return [...this.#grants.values()].filter(({ namespace }) => (namespace === '') === isCluster);
  }

  /** A binding that allows the request: of the cluster first, then of the namespace. */
  find(user: UserInfo, namespace: string, query: AccessQuery): Grant | undefined {
    const found = findIn(this.#scopes.get(''), user, query);
    return found ?? (namespace === '' ? undefined : findIn(this.#scopes.get(namespace), user, query));
  }

  /** All bindings that apply to a user, in the order of their names, those of the cluster first. */
  grantsOf(user: UserInfo, namespace: string): Grant[] {
    const inScope = (scope: Scope | undefined): Grant[] => {
      const grants = new Set<Grant>();
      scope?.users.get(user.name)?.collect(grants);
      for (const group of user.groups) scope?.groups.get(group)?.collect(grants);
      return [...grants].sort((a, b) => (a.name < b.name ? -1 : 1));
    };
    const everywhere = inScope(this.#scopes.get(''));
    return namespace === '' ? everywhere : [...everywhere, ...inScope(this.#scopes.get(namespace))];
  }

  #slot(namespace: string, name: string): RoleSlot {
    const key = pair(namespace, name);
    let slot = this.#slots.get(key);
    if (slot === undefined) {
      slot = { key, role: undefined, holders: new Set() };
      this.#slots.set(key, slot);
    }
    return slot;
  }

  /** After each change: drops a role that neither exists nor is held, notes one that is held and missing. */
  #settle(slot: RoleSlot): void {
    if (slot.role === undefined && slot.holders.size > 0) {
      this.#missing.add(slot);
      return;
    }
    this.#missing.delete(slot);
    if (slot.role === undefined) this.#slots.delete(slot.key);
  }

  #heldBy(grant: Grant, subject: Grant['subjects'][number], make: boolean): HeldRoles | undefined {
    const holder = holderOf(subject, grant.namespace);
    if (holder === undefined) return undefined;
    let scope = this.#scopes.get(grant.namespace);
    if (scope === undefined) {
      if (!make) return undefined;
      scope = { users: new Map(), groups: new Map() };
      this.#scopes.set(grant.namespace, scope);
    }
    const holders = holder.isGroup ? scope.groups : scope.users;
    let held = holders.get(holder.name);
    if (held === undefined && make) {
      held = new HeldRoles();
      holders.set(holder.name, held);
    }
    return held;
  }

  #release(grant: Grant, subject: Grant['subjects'][number]): void {
    const held = this.#heldBy(grant, subject, false);
    if (held === undefined) return;
    held.remove(grant.slot, grant);
    if (!held.isEmpty) return;
    const holder = holderOf(subject, grant.namespace)!;
    const scope = this.#scopes.get(grant.namespace)!;
    (holder.isGroup ? scope.groups : scope.users).delete(holder.name);
    if (scope.users.size + scope.groups.size === 0) this.#scopes.delete(grant.namespace);
  }
}

function findIn(scope: Scope | undefined, user: UserInfo, query: AccessQuery): Grant | undefined {
  if (scope === undefined) return undefined;
  const own = scope.users.get(user.name)?.find(query);
  if (own !== undefined) return own;
  for (const group of user.groups) {
    const found = scope.groups.get(group)?.find(query);
    if (found !== undefined) return found;
  }
  return undefined;
}

const pair = (namespace: string, name: string): string => `${namespace}/${name}`;

function split(key: string): { namespace: string; name: string } {
  const slash = key.indexOf('/');
  return { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
