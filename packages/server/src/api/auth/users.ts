// The users and groups that Kubernetes itself names.
import { nameIsDnsLabel, nameIsDnsSubdomain } from '@instar/go';
import type { UserInfo } from '../../wire/exchange.ts';

export const ALL_AUTHENTICATED = 'system:authenticated';
export const ALL_UNAUTHENTICATED = 'system:unauthenticated';
/** In `extra`: which credential was used. */
export const CREDENTIAL_ID = 'authentication.kubernetes.io/credential-id';
/** Its members may do everything, whatever the authorizer says. */
export const PRIVILEGED_GROUP = 'system:masters';

export const ANONYMOUS: UserInfo = {
  name: 'system:anonymous',
  uid: '',
  groups: [ALL_UNAUTHENTICATED],
  extra: {},
};

/** A user whose credential was checked, and who is therefore a member of system:authenticated. */
export function authenticatedUser(name: string, uid: string, groups: readonly string[]): UserInfo {
  const all = groups.includes(ALL_AUTHENTICATED) ? groups : [...groups, ALL_AUTHENTICATED];
  return { name, uid, groups: all, extra: {} };
}

/** The same for a user whom others name: one that they call anonymous stays so. */
export function knownUser(user: UserInfo): UserInfo {
  const isAnonymous = user.name === ANONYMOUS.name || user.groups.includes(ALL_UNAUTHENTICATED);
  return isAnonymous ? user : { ...user, groups: authenticatedUser(user.name, '', user.groups).groups };
}

const SERVICE_ACCOUNT_PREFIX = 'system:serviceaccount:';

export const serviceAccountUser = (namespace: string, name: string): string =>
  `${SERVICE_ACCOUNT_PREFIX}${namespace}:${name}`;

/** Undefined: not the user name of a service account, or of one that cannot exist. */
export function splitServiceAccount(user: string): { namespace: string; name: string } | undefined {
  if (!user.startsWith(SERVICE_ACCOUNT_PREFIX)) return undefined;
  const [namespace, name, ...more] = user.slice(SERVICE_ACCOUNT_PREFIX.length).split(':');
  if (namespace === undefined || name === undefined || more.length > 0) return undefined;
  if (nameIsDnsLabel(namespace, false).length + nameIsDnsSubdomain(name, false).length > 0) return undefined;
  return { namespace, name };
}

export const serviceAccountGroups = (namespace: string): string[] => [
  'system:serviceaccounts',
  `system:serviceaccounts:${namespace}`,
];
