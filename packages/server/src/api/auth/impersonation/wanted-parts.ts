// What a user must be allowed to impersonate: the name, the uid, each group and each extra value of the
// wanted user. With a constrained mode the verb names the mode, the parts are in one API group, and some of
// them are refused to everybody.
import { nameIsDnsSubdomain, quoteGo } from '@instar/go';
import type { UserInfo } from '../../../wire/exchange.ts';
import type { Attributes } from '../authorizer.ts';
import { PRIVILEGED_GROUP, splitServiceAccount } from '../users.ts';
import { extraFault } from './extra-fault.ts';
import type { WantedUser } from './wanted-user.ts';

const AUTHENTICATION = 'authentication.k8s.io';
const NODE_PREFIX = 'system:node:';
/** From so many groups or extra values on, the permission for all of them is asked for first, as upstream. */
const MANY = 4;

export interface PartCheck {
  readonly attributes: Attributes;
  /** Refused without asking. */
  readonly refusal?: string;
}

/** Parts that are asked for one by one, unless `all` is allowed. */
export interface PartList {
  readonly all?: Attributes;
  readonly each: readonly PartCheck[];
}

interface Parts {
  readonly requestor: UserInfo;
  readonly verb: string;
  readonly isConstrained: boolean;
}

export function partsOf(wanted: WantedUser, parts: Parts): PartList[] {
  return [
    { each: [namePart(wanted, parts)] },
    { each: wanted.uid === '' ? [] : [{ attributes: attributesOf(parts, 'uids', wanted.uid) }] },
    groupParts(wanted, parts),
    extraParts(wanted, parts),
  ];
}

export function nodeNameOf(user: string): string | undefined {
  if (!user.startsWith(NODE_PREFIX)) return undefined;
  const name = user.slice(NODE_PREFIX.length);
  return nameIsDnsSubdomain(name, false).length === 0 ? name : undefined;
}

function namePart({ name, groups }: WantedUser, parts: Parts): PartCheck {
  const group = parts.isConstrained ? AUTHENTICATION : '';
  const withGroups = (what: string): { refusal?: string } =>
    parts.isConstrained && groups.length > 0
      ? { refusal: `when impersonating a ${what}, cannot impersonate groups ${list(groups)}` }
      : {};
  const node = parts.isConstrained ? nodeNameOf(name) : undefined;
  if (node !== undefined)
    return { attributes: { ...attributesOf(parts, 'nodes', node), group }, ...withGroups('node') };
  const account = splitServiceAccount(name);
  if (account === undefined) return { attributes: { ...attributesOf(parts, 'users', name), group } };
  const { namespace } = account;
  const attributes = { ...attributesOf(parts, 'serviceaccounts', account.name), group, namespace };
  return { attributes, ...withGroups('service account') };
}

function groupParts({ groups }: WantedUser, parts: Parts): PartList {
  const group = parts.isConstrained ? AUTHENTICATION : '';
  const asked = (name: string): Attributes => ({ ...attributesOf(parts, 'groups', name), group });
  const each = groups.map((name) => ({ attributes: asked(name) }));
  if (!parts.isConstrained) return { each };
  if (groups.includes(''))
    return {
      each: [{ attributes: asked(''), refusal: 'impersonating the empty string group is not allowed' }],
    };
  if (groups.includes(PRIVILEGED_GROUP)) {
    const refusal = `impersonating the ${PRIVILEGED_GROUP} group is not allowed`;
    return { each: [{ attributes: asked(PRIVILEGED_GROUP), refusal }] };
  }
  return groups.length >= MANY ? { all: asked('*'), each } : { each };
}

function extraParts({ extra }: WantedUser, parts: Parts): PartList {
  const asked = (subresource: string, name: string): Attributes => ({
    ...attributesOf(parts, 'userextras', name),
    subresource,
  });
  const each = [...extra].flatMap(([key, values]) =>
    values.map((value) => ({ attributes: asked(key, value) })),
  );
  const refusal = parts.isConstrained ? extraFault(extra) : undefined;
  if (refusal !== undefined) return { each: [{ attributes: asked('', ''), refusal }] };
  const isLarge = extra.size >= MANY || each.length >= MANY;
  return parts.isConstrained && isLarge ? { all: asked('*', '*'), each } : { each };
}

function attributesOf({ requestor, verb }: Parts, resource: string, name: string): Attributes {
  return {
    user: requestor,
    verb,
    isResourceRequest: true,
    group: AUTHENTICATION,
    version: 'v1',
    resource,
    subresource: '',
    namespace: '',
    name,
    path: '',
  };
}

const list = (texts: readonly string[]): string => `[${texts.map((text) => quoteGo(text)).join(' ')}]`;
