// Nobody may grant more than they have. Who writes a role must hold its rules in that scope, or be allowed to
// escalate it; who binds a role must hold the rules of the role, or be allowed to bind it.
import { quoteGo } from '@instar/go';
import { apiErrors, asJson, deepEqual, type JsonObject, type KubeObject } from '@instar/machinery';
import type { Attributes, Authorizer } from '../../api/auth/authorizer.ts';
import { missingLines, uncovered } from '../../api/auth/rbac/covers.ts';
import { rulesHeld } from '../../api/auth/rbac/rbac-authorizer.ts';
import type { RoleIndex } from '../../api/auth/rbac/role-index.ts';
import { PRIVILEGED_GROUP } from '../../api/auth/users.ts';
import { type PolicyRule, RBAC_GROUP, type RoleRef } from '../../kinds/validate/rbac.ts';
import type { AdmissionOperation, WriteRequest } from '../../objects/write/write-request.ts';
import type { UserInfo } from '../../wire/exchange.ts';

const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

export class EscalationCheck {
  readonly #index: RoleIndex;
  readonly #authorizer: Authorizer;

  constructor(index: RoleIndex, authorizer: Authorizer) {
    this.#index = index;
    this.#authorizer = authorizer;
  }

  /** Throws if the write would grant more than its user has. `object` is what would be stored. */
  async check({ write, old }: AdmissionOperation, object: KubeObject): Promise<void> {
    const { group, names } = write.resource.definition;
    if (group !== RBAC_GROUP || write.user.groups.includes(PRIVILEGED_GROUP)) return;
    if (names.kind === 'RoleBinding' || names.kind === 'ClusterRoleBinding')
      return this.#checkBinding(write, object, old);
    if (names.kind === 'Role' || names.kind === 'ClusterRole') return this.#checkRole(write, object, old);
  }

  async #checkRole(write: WriteRequest, role: KubeObject, old: KubeObject | undefined): Promise<void> {
    const { plural } = write.resource.definition.names;
    if (await this.#isAllowed(write, 'escalate', plural, write.name)) return;
    if (old !== undefined && changesOnlyGarbageCollection(role, old)) return;
    this.#confirm(write, role, (asJson(role)['rules'] ?? []) as unknown as PolicyRule[]);
    if (!isAggregated(role) && !(old !== undefined && isAggregated(old))) return;
    // Such a role may gather any rule that anybody writes.
    if (this.#missing(write, EVERYTHING) !== undefined)
      throw refused(write, role, 'must have cluster-admin privileges to use the aggregationRule');
  }

  async #checkBinding(write: WriteRequest, binding: KubeObject, old: KubeObject | undefined): Promise<void> {
    if (old !== undefined && changesOnlyGarbageCollection(binding, old)) return;
    const ref = asJson(binding)['roleRef'] as unknown as RoleRef;
    const plural = ref.kind === 'Role' ? 'roles' : 'clusterroles';
    const isKnown = ref.kind === 'Role' || ref.kind === 'ClusterRole';
    if (isKnown && (await this.#isAllowed(write, 'bind', plural, ref.name, ref.apiGroup))) return;
    if (!isKnown)
      throw apiErrors.raw({ code: 500, message: `unsupported role reference kind: ${quoteGo(ref.kind)}` });
    const rules = this.#index.rulesOf(ref, write.namespace);
    if (rules === undefined) throw write.resource.notFound(ref.name);
    this.#confirm(write, binding, rules);
  }

  #confirm(write: WriteRequest, object: KubeObject, rules: readonly PolicyRule[]): void {
    const missing = this.#missing(write, rules);
    if (missing !== undefined) throw refused(write, object, missing);
  }

  /** What the user lacks of the rules; undefined: nothing. */
  #missing(write: WriteRequest, rules: readonly PolicyRule[]): string | undefined {
    const user = userOf(write);
    const held = rulesHeld(this.#index, user, write.namespace);
    const missing = uncovered(held.rules, rules);
    if (missing === 'too-many') return 'the rules are too many to be compared with those of the user';
    if (missing.length === 0) return undefined;
    const groups = user.groups.map((group) => quoteGo(group)).join(' ');
    const errors = held.error === undefined ? '' : `; resolution errors: [${held.error}]`;
    return (
      `user ${quoteGo(user.name)} (groups=[${groups}]) is attempting to grant RBAC permissions not currently ` +
      `held:\n${missingLines(missing).join('\n')}${errors}`
    );
  }

  async #isAllowed(
    write: WriteRequest,
    verb: 'escalate' | 'bind',
    resource: string,
    name: string,
    group = RBAC_GROUP,
  ): Promise<boolean> {
    const { namespace } = write;
    const attributes = { user: userOf(write), verb, group, resource, namespace, name };
    const { decision } = await this.#authorizer.authorize({ ...RESOURCE, ...attributes });
    return decision === 'allow';
  }
}

const RESOURCE = {
  isResourceRequest: true,
  version: '*',
  subresource: '',
  path: '',
} satisfies Partial<Attributes>;

export function userOf({ user }: WriteRequest): UserInfo {
  return { name: user.name, groups: user.groups, uid: user.uid ?? '', extra: user.extra ?? {} };
}

function refused({ resource }: WriteRequest, object: KubeObject, why: string): Error {
  return apiErrors.forbidden(resource.groupResource, object.metadata.name ?? '', why);
}

function isAggregated(role: KubeObject): boolean {
  const rule = asJson(role)['aggregationRule'] as JsonObject | undefined;
  return ((rule?.['clusterRoleSelectors'] ?? []) as unknown[]).length > 0;
}

/** The garbage collector must be able to delete roles that it could not grant. */
function changesOnlyGarbageCollection(object: KubeObject, old: KubeObject): boolean {
  const comparable = ({ metadata, ...rest }: KubeObject): JsonObject => {
    const { ownerReferences: _o, finalizers: _f, managedFields: _m, ...kept } = metadata;
    return { ...(rest as unknown as JsonObject), metadata: kept as unknown as JsonObject };
  };
  return deepEqual(comparable(object), comparable(old));
}
