// `Impersonate-User` and related headers: the request continues as another user, if its own user may
// impersonate each of the parts.
import { apiErrors } from '@instar/machinery';
import type { ApiRequest, Filter, UserInfo } from '../../wire/exchange.ts';
import type { Attributes, Authorizer } from '../auth/authorizer.ts';
import { forbidden } from '../auth/forbidden.ts';
import {
  ALL_AUTHENTICATED,
  ALL_UNAUTHENTICATED,
  ANONYMOUS,
  serviceAccountGroups,
  splitServiceAccount,
} from '../auth/users.ts';

const EXTRA_PREFIX = 'impersonate-extra-';

/** One part of the impersonated user, as upstream's authorizers see it. */
interface Part {
  readonly resource: 'users' | 'serviceaccounts' | 'groups' | 'userextras' | 'uids';
  readonly group: string;
  readonly name: string;
  readonly namespace: string;
  readonly subresource: string;
}

interface Impersonation {
  readonly user: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

export function impersonateFilter(authorizer: Authorizer): Filter {
  return (request, next) => {
    const impersonation = impersonationOf(request.headers);
    return impersonation === undefined
      ? next(request)
      : impersonate(request, impersonation, authorizer).then(() => next(request));
  };
}

async function impersonate(
  request: ApiRequest,
  impersonation: Impersonation,
  authorizer: Authorizer,
): Promise<void> {
  for (const part of partsOf(impersonation)) {
    const attributes = attributesOfPart(request.user, part);
    const { decision, reason } = await authorizer.authorize(attributes);
    if (decision !== 'allow') throw forbidden(attributes, reason);
  }
  request.user = impersonatedUser(impersonation);
}

function impersonationOf(headers: ApiRequest['headers']): Impersonation | undefined {
  // The transports ensure that this header is set if any of them is.
  if (headers['impersonate-user'] === undefined) return undefined;
  let extra: Record<string, readonly string[]> | undefined;
  for (const name of Object.keys(headers)) {
    if (name.startsWith(EXTRA_PREFIX))
      extra = { ...extra, [unescaped(name.slice(EXTRA_PREFIX.length))]: values(headers[name]) };
  }
  const user = values(headers['impersonate-user'])[0] ?? '';
  const uid = values(headers['impersonate-uid'])[0] ?? '';
  const groups = values(headers['impersonate-group']);
  const impersonation = { user, uid, groups, extra: extra ?? {} };
  if (user !== '') return impersonation;
  if (groups.length === 0 && extra === undefined && uid === '') return undefined;
  throw apiErrors.badRequest(`requested ${printed(partsOf(impersonation))} without impersonating a user`);
}

/**
 * The transports pass repeated headers of this family as lists, since a group may have a comma in its name.
 */
function values(header: string | string[] | undefined): string[] {
  if (header === undefined || header === '') return [];
  return Array.isArray(header) ? header : [header];
}

function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

function partsOf(impersonation: Impersonation): Part[] {
  const part = (resource: Part['resource'], name: string, rest: Partial<Part> = {}): Part => ({
    resource,
    name,
    group: '',
    namespace: '',
    subresource: '',
    ...rest,
  });
  const account = splitServiceAccount(impersonation.user);
  const subject =
    account === undefined
      ? part('users', impersonation.user)
      : part('serviceaccounts', account.name, { namespace: account.namespace });
  const group = 'authentication.k8s.io';
  return [
    ...(impersonation.user === '' ? [] : [subject]),
    ...impersonation.groups.map((name) => part('groups', name)),
    ...Object.entries(impersonation.extra).flatMap(([key, all]) =>
      all.map((value) => part('userextras', value, { group, subresource: key })),
    ),
    ...(impersonation.uid === '' ? [] : [part('uids', impersonation.uid, { group })]),
  ];
}

function attributesOfPart(user: UserInfo, part: Part): Attributes {
  const { group, resource, subresource, namespace, name } = part;
  const version = group === '' ? '' : 'v1';
  return {
    user,
    verb: 'impersonate',
    isResourceRequest: true,
    group,
    version,
    resource,
    subresource,
    namespace,
    name,
    path: '',
  };
}

/** The groups that were named take precedence; only the group that every user has is added. */
function impersonatedUser(impersonation: Impersonation): UserInfo {
  const account = splitServiceAccount(impersonation.user);
  const groups = [
    ...(impersonation.groups.length === 0 && account !== undefined
      ? serviceAccountGroups(account.namespace)
      : impersonation.groups),
  ];
  if (impersonation.user === ANONYMOUS.name) {
    if (!groups.includes(ALL_UNAUTHENTICATED)) groups.push(ALL_UNAUTHENTICATED);
  } else if (!groups.includes(ALL_AUTHENTICATED) && !groups.includes(ALL_UNAUTHENTICATED)) {
    groups.push(ALL_AUTHENTICATED);
  }
  return { name: impersonation.user, uid: impersonation.uid, groups, extra: impersonation.extra };
}

const KINDS: Record<Part['resource'], string> = {
  users: 'User',
  serviceaccounts: 'ServiceAccount',
  groups: 'Group',
  userextras: 'UserExtra',
  uids: 'UID',
};

/** As Go prints a list of ObjectReferences. */
function printed(parts: readonly Part[]): string {
  const one = ({ resource, namespace, name, group, subresource }: Part): string =>
    `{${[KINDS[resource], namespace, name, '', group === '' ? '' : `${group}/v1`, '', subresource].join(' ')}}`;
  return `[${parts.map(one).join(' ')}]`;
}
