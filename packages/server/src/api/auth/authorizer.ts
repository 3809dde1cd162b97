// Decides who may do what. The pipeline knows only this interface: another authorization mode is another
// implementation of it.
import type { UserInfo } from '../../wire/exchange.ts';

/** What a user asks permission for: a verb on a resource, or on a path. */
export interface Attributes {
  readonly user: UserInfo;
  readonly verb: string;
  readonly isResourceRequest: boolean;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Set if `isResourceRequest` is false. */
  readonly path: string;
  /** What a list, a watch or a deletion of a collection is limited to; parsed only if an authorizer asks. */
  readonly selectors?: () => Selectors;
}

export interface SelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** Empty lists: no limit, or one that could not be parsed. */
export interface Selectors {
  readonly field: readonly SelectorRequirement[];
  readonly label: readonly SelectorRequirement[];
}

export interface Decision {
  /** `no-opinion` is refused like `deny`, but another authorizer may still allow the request. */
  readonly decision: 'allow' | 'deny' | 'no-opinion';
  readonly reason: string;
  /** Why an authorizer could not decide. A request that is not allowed then fails with it. */
  readonly error?: string;
}

interface ResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
}

interface NonResourceRule {
  readonly verbs: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

/** What a user may do in a namespace, as far as it can be listed. */
export interface Rules {
  readonly resourceRules: readonly ResourceRule[];
  readonly nonResourceRules: readonly NonResourceRule[];
  readonly incomplete: boolean;
  readonly evaluationError?: string;
}

export interface Authorizer {
  authorize(attributes: Attributes): Decision | Promise<Decision>;
  rulesFor(user: UserInfo, namespace: string): Rules | Promise<Rules>;
}

const ALLOWED: Decision = { decision: 'allow', reason: '' };

/** Every user that authenticated may do everything. */
export const ALWAYS_ALLOW: Authorizer = {
  authorize: () => ALLOWED,
  rulesFor: () => ({
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    incomplete: false,
  }),
};
