// Decides by roles and bindings. It never denies: what no rule allows, another authorizer may still allow.
import type { PolicyRule } from '../../../kinds/validate/rbac.ts';
import type { UserInfo } from '../../../wire/exchange.ts';
import type { Attributes, Authorizer, Decision, Rules } from '../authorizer.ts';
import { accessQuery } from './access-query.ts';
import type { Grant } from './grant.ts';
import type { RoleIndex } from './role-index.ts';

const NO_RULE: Decision = { decision: 'no-opinion', reason: '' };

export class RbacAuthorizer implements Authorizer {
  readonly #index: RoleIndex;

  constructor(index: RoleIndex) {
    this.#index = index;
  }

  authorize(attributes: Attributes): Decision {
    const { user, namespace } = attributes;
    const grant = this.#index.find(user, namespace, accessQuery(attributes));
    if (grant !== undefined) return grant.allowed(user);
    if (!this.#index.hasMissingRoles) return NO_RULE;
    const error = resolutionError(this.#index.grantsOf(user, namespace));
    return error === undefined ? NO_RULE : { decision: 'no-opinion', reason: `RBAC: ${error}` };
  }

  rulesFor(user: UserInfo, namespace: string): Rules {
    const { rules, error } = rulesHeld(this.#index, user, namespace);
    return {
      resourceRules: rules.filter(({ resources = [] }) => resources.length > 0).map(resourceRule),
      nonResourceRules: rules
        .filter(({ nonResourceURLs = [] }) => nonResourceURLs.length > 0)
        .map(({ verbs, nonResourceURLs }) => ({ verbs: verbs ?? [], nonResourceURLs: nonResourceURLs! })),
      incomplete: false,
      ...(error !== undefined && { evaluationError: error }),
    };
  }
}

function resourceRule({ verbs, apiGroups, resources, resourceNames }: PolicyRule) {
  return {
    verbs: verbs ?? [],
    apiGroups: apiGroups ?? [],
    resources: resources ?? [],
    ...(resourceNames !== undefined && { resourceNames }),
  };
}

/** Every rule that a user has in a namespace, binding by binding, and which roles are missing. */
export function rulesHeld(
  index: RoleIndex,
  user: UserInfo,
  namespace: string,
): { readonly rules: readonly PolicyRule[]; readonly error: string | undefined } {
  const grants = index.grantsOf(user, namespace);
  return { rules: grants.flatMap(({ slot }) => slot.role?.rules ?? []), error: resolutionError(grants) };
}

/** The roles that bindings name and that do not exist, as Go prints a list of errors. */
function resolutionError(grants: readonly Grant[]): string | undefined {
  const missing = new Set<string>();
  for (const grant of grants) if (grant.slot.role === undefined) missing.add(grant.missingRole());
  if (missing.size === 0) return undefined;
  const texts = [...missing];
  return texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
}
