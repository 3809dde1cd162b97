// Who may do what. The pipeline asks this interface and nothing else, so that another mode is another
// implementation.
import type { UserInfo } from '../../wire/exchange.ts';

/** One wish of one user: about a resource, or about a path. */
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
  /** Of wishes that are not about a resource. */
  readonly path: string;
}

export interface Decision {
  /** `no-opinion` is refused like `deny`, but another authorizer may still allow. */
  readonly decision: 'allow' | 'deny' | 'no-opinion';
  readonly reason: string;
}

export interface ResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
}

export interface NonResourceRule {
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
