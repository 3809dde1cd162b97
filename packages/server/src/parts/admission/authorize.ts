// The authorizer for CEL expressions: synchronous, for the user of the request or for a service account.
import type { AuthorizationCheck, AuthorizationDecision, Authorize } from '@instar/admission';
import type { Attributes, Authorizer } from '../../api/auth/authorizer.ts';
import { ALL_AUTHENTICATED, serviceAccountGroups } from '../../api/auth/users.ts';
import type { UserInfo } from '../../wire/exchange.ts';

export function authorizeFor(authorizer: Authorizer, user: UserInfo): Authorize {
  return (check) => decide(authorizer, attributesOf(check, user));
}

function decide(authorizer: Authorizer, attributes: Attributes): AuthorizationDecision {
  const decision = authorizer.authorize(attributes);
  if (decision instanceof Promise)
    return { allowed: false, reason: '', error: 'the authorizer cannot decide synchronously' };
  return { allowed: decision.decision === 'allow', reason: decision.reason };
}

function attributesOf({ serviceAccount, verb, target }: AuthorizationCheck, user: UserInfo): Attributes {
  const subject = serviceAccount === undefined ? user : accountUser(serviceAccount);
  const noResource = { group: '', version: '', resource: '', subresource: '', namespace: '', name: '' };
  if ('path' in target)
    return { user: subject, verb, isResourceRequest: false, ...noResource, path: target.path };
  const { group, resource, subresource, namespace, name } = target;
  return {
    user: subject,
    verb,
    isResourceRequest: true,
    group,
    version: '*',
    resource,
    subresource,
    namespace,
    name,
    path: '',
  };
}

function accountUser({ namespace, name }: { readonly namespace: string; readonly name: string }): UserInfo {
  const groups = [...serviceAccountGroups(namespace), ALL_AUTHENTICATED];
  return { name: `system:serviceaccount:${namespace}:${name}`, uid: '', groups, extra: {} };
}
