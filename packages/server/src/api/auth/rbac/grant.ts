// A binding as decisions use it: its subjects, its role, and how it is named in the reason of a decision.
import { quoteGo } from '@instar/go';
import { RBAC_GROUP, type RoleRef, type Subject } from '../../../kinds/validate/rbac.ts';
import type { UserInfo } from '../../../wire/exchange.ts';
import type { Decision } from '../authorizer.ts';
import type { RoleSlot } from './held-roles.ts';

export interface BindingObject {
  readonly metadata: { readonly name?: string; readonly namespace?: string };
  readonly subjects?: readonly Subject[] | null;
  readonly roleRef: RoleRef;
}

export class Grant {
  readonly name: string;
  /** Empty: everywhere. */
  readonly namespace: string;
  readonly subjects: readonly Subject[];
  readonly slot: RoleSlot;
  readonly #roleRef: RoleRef;
  readonly #decisions = new Map<Subject, Decision>();

  constructor({ metadata, subjects, roleRef }: BindingObject, slot: RoleSlot) {
    this.name = metadata.name ?? '';
    this.namespace = metadata.namespace ?? '';
    this.subjects = subjects ?? [];
    this.slot = slot;
    this.#roleRef = roleRef;
  }

  /** The decision for a user that the binding applies to. */
  allowed(user: UserInfo): Decision {
    const subject = this.subjects.find((candidate) => isSubject(user, candidate, this.namespace))!;
    let decision = this.#decisions.get(subject);
    if (decision === undefined) {
      decision = { decision: 'allow', reason: `RBAC: allowed by ${this.#description(subject)}` };
      this.#decisions.set(subject, decision);
    }
    return decision;
  }

  /** The error of upstream's lister for a role that does not exist. */
  missingRole(): string {
    const { kind, name } = this.#roleRef;
    return `${kind.toLowerCase()}.${RBAC_GROUP} ${quoteGo(name)} not found`;
  }

  #description(subject: Subject): string {
    const { kind, name } = this.#roleRef;
    const [binding, own] =
      this.namespace === ''
        ? ['ClusterRoleBinding', this.name]
        : ['RoleBinding', `${this.name}/${this.namespace}`];
    return `${binding} ${quoteGo(own)} of ${kind} ${quoteGo(name)} to ${subjectText(subject, this.namespace)}`;
  }
}

function subjectText({ kind, name, namespace }: Subject, bindingNamespace: string): string {
  if (kind !== 'ServiceAccount') return `${kind} ${quoteGo(name)}`;
  return `${kind} ${quoteGo(`${name}/${namespace || bindingNamespace}`)}`;
}

function isSubject(user: UserInfo, subject: Subject, bindingNamespace: string): boolean {
  const holder = holderOf(subject, bindingNamespace);
  if (holder === undefined) return false;
  return holder.isGroup ? user.groups.includes(holder.name) : user.name === holder.name;
}

/** Who a subject is to the authorizer: service accounts are users. Undefined: nobody. */
export function holderOf(
  { kind, name, namespace }: Subject,
  bindingNamespace: string,
): { readonly isGroup: boolean; readonly name: string } | undefined {
  if (kind === 'User' || kind === 'Group') return { isGroup: kind === 'Group', name };
  const home = namespace || bindingNamespace;
  if (kind !== 'ServiceAccount' || home === '') return undefined;
  return { isGroup: false, name: `system:serviceaccount:${home}:${name}` };
}
