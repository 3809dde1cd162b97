// The modes of impersonation, in the order in which they are tried. The constrained ones need two
// permissions: to be that user, and to do as that user what the request does. The last is the older one: a
// user who may impersonate another may do everything as the other.
import type { UserInfo } from '../../../wire/exchange.ts';
import type { Attributes, Authorizer } from '../authorizer.ts';
import { forbidden } from '../forbidden.ts';
import {
  ALL_AUTHENTICATED,
  ALL_UNAUTHENTICATED,
  ANONYMOUS,
  serviceAccountGroups,
  splitServiceAccount,
} from '../users.ts';
import { nodeNameOf, type PartCheck, partsOf } from './wanted-parts.ts';
import type { WantedUser } from './wanted-user.ts';

const NODES_GROUP = 'system:nodes';
const NODE_KEY = 'authentication.kubernetes.io/node-name';

interface Mode {
  /** Empty: the mode without constraints. */
  readonly name: string;
  fits(wanted: WantedUser, requestor: UserInfo): boolean;
}

const isAccount = (name: string): boolean => splitServiceAccount(name) !== undefined;
const isNode = (name: string): boolean => nodeNameOf(name) !== undefined;
const hasNameOnly = ({ uid, groups, extra }: WantedUser): boolean =>
  uid === '' && groups.length === 0 && extra.size === 0;

function isOnNode(requestor: UserInfo, node: string): boolean {
  const nodes = Object.hasOwn(requestor.extra, NODE_KEY) ? requestor.extra[NODE_KEY]! : [];
  return isAccount(requestor.name) && nodes.length === 1 && nodes[0] === nodeNameOf(node);
}

const MODES: readonly Mode[] = [
  {
    name: 'associated-node',
    fits: (wanted, requestor) =>
      hasNameOnly(wanted) && isNode(wanted.name) && isOnNode(requestor, wanted.name),
  },
  { name: 'arbitrary-node', fits: (wanted) => hasNameOnly(wanted) && isNode(wanted.name) },
  { name: 'serviceaccount', fits: (wanted) => hasNameOnly(wanted) && isAccount(wanted.name) },
  { name: 'user-info', fits: ({ name }) => !isNode(name) && !isAccount(name) },
  { name: '', fits: () => true },
];

/** Of so many users it is known which mode they used last. */
const MAX_KNOWN_USERS = 10_000;

/** As whom a request continues, and what constrains it: empty for the mode without constraints. */
interface Impersonated {
  readonly user: UserInfo;
  readonly constraint: string;
}

const constraintOf = ({ name }: Mode): string => (name === '' ? '' : `impersonate:${name}`);

export class Impersonation {
  readonly #authorizer: Authorizer;
  /** The mode that a user used last is tried first, and its refusal is the one that they see. */
  readonly #lastModes = new Map<string, Mode>();

  constructor(authorizer: Authorizer) {
    this.#authorizer = authorizer;
  }

  /** The user as which the request continues. Throws the refusal of the first mode if none allows it. */
  async impersonate(wanted: WantedUser, request: Attributes): Promise<Impersonated> {
    const { user } = request;
    const last = this.#lastModes.get(user.name);
    const modes = last === undefined ? MODES : [last, ...MODES.filter((mode) => mode !== last)];
    let refused: Error | undefined;
    for (const mode of modes) {
      if (!mode.fits(wanted, user)) continue;
      const error = await modeRefusal(mode.name, wanted, request, this.#authorizer);
      if (error === undefined) {
        this.#remember(user.name, mode);
        return { user: userOf(wanted, mode.name !== ''), constraint: constraintOf(mode) };
      }
      refused ??= error;
    }
    throw refused!;
  }

  #remember(user: string, mode: Mode): void {
    this.#lastModes.delete(user);
    this.#lastModes.set(user, mode);
    if (this.#lastModes.size <= MAX_KNOWN_USERS) return;
    for (const oldest of this.#lastModes.keys()) {
      this.#lastModes.delete(oldest);
      return;
    }
  }
}

async function modeRefusal(
  mode: string,
  wanted: WantedUser,
  request: Attributes,
  authorizer: Authorizer,
): Promise<Error | undefined> {
  if (mode === '') return partsRefusal(wanted, request.user, 'impersonate', false, authorizer);
  // Upstream caches what it is told about an associated node for all nodes and all accounts of the node.
  const isAssociated = mode === 'associated-node';
  const requestor = isAssociated ? withExtraKeysOnly(request.user) : request.user;
  const attributes = { ...request, user: requestor, verb: `impersonate-on:${mode}:${request.verb}` };
  return (
    (await refusal({ attributes }, authorizer)) ??
    partsRefusal(wanted, requestor, `impersonate:${mode}`, true, authorizer, isAssociated ? '*' : undefined)
  );
}

const withExtraKeysOnly = (user: UserInfo): UserInfo => ({
  ...user,
  extra: { 'authentication.kubernetes.io/associated-node-keys': Object.keys(user.extra).sort() },
});

async function partsRefusal(
  wanted: WantedUser,
  requestor: UserInfo,
  verb: string,
  isConstrained: boolean,
  authorizer: Authorizer,
  nodeName?: string,
): Promise<Error | undefined> {
  for (const { all, each } of partsOf(wanted, { requestor, verb, isConstrained })) {
    if (all !== undefined && (await refusal({ attributes: all }, authorizer)) === undefined) continue;
    for (const part of each) {
      const asked = nodeName === undefined ? part : { attributes: { ...part.attributes, name: nodeName } };
      const error = await refusal(asked, authorizer);
      if (error !== undefined) return error;
    }
  }
  return undefined;
}

async function refusal(
  { attributes, refusal: why }: PartCheck,
  authorizer: Authorizer,
): Promise<Error | undefined> {
  if (why !== undefined) return forbidden(attributes, why);
  const { decision, reason } = await authorizer.authorize(attributes);
  return decision === 'allow' ? undefined : forbidden(attributes, reason);
}

/** The groups that were named take precedence; only the group that every user has is added. */
function userOf({ name, uid, groups, extra }: WantedUser, isConstrained: boolean): UserInfo {
  const all = groups.length > 0 ? [...groups] : groupsOfName(name, isConstrained);
  const common = name === ANONYMOUS.name ? ALL_UNAUTHENTICATED : ALL_AUTHENTICATED;
  if (!all.includes(common) && !all.includes(ALL_UNAUTHENTICATED)) all.push(common);
  return { name, uid, groups: all, extra: Object.fromEntries(extra) };
}

function groupsOfName(name: string, isConstrained: boolean): string[] {
  if (isConstrained && isNode(name)) return [NODES_GROUP];
  const account = splitServiceAccount(name);
  return account === undefined ? [] : serviceAccountGroups(account.namespace);
}
