// Bootstrap tokens: "id.secret", which a secret of kube-system holds until it expires. They are for machines
// that join a cluster, and give the name system:bootstrap:ID.
import { timingSafeEqual } from 'node:crypto';
import type { KubeObject } from '@instar/machinery';
import { authenticatedUser } from '../users.ts';
import type { TokenAuthenticator, Verdict } from './verdict.ts';

/** In kube-system. May wait until secrets can be read. */
export type ReadSecret = (name: string) => KubeObject | undefined | Promise<KubeObject | undefined>;

const TOKEN = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const TYPE = 'bootstrap.kubernetes.io/token';
const DEFAULT_GROUP = 'system:bootstrappers';
const GROUP = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;
const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

export function bootstrapTokens(readSecret: ReadSecret, now: () => number = Date.now): TokenAuthenticator {
  return {
    authenticateToken(token) {
      const [, id, secret] = TOKEN.exec(token) ?? [];
      if (id === undefined || secret === undefined) return undefined;
      const verdict = (found: KubeObject | undefined): Verdict => verdictOf(found, id, secret, now());
      const found = readSecret(`bootstrap-token-${id}`);
      return found instanceof Promise ? found.then(verdict) : verdict(found);
    },
  };
}

/** What does not fit is no opinion, as upstream: another sort of token may look the same. */
function verdictOf(object: KubeObject | undefined, id: string, secret: string, now: number): Verdict {
  if (object === undefined || object.metadata.deletionTimestamp != null || object['type'] !== TYPE)
    return undefined;
  const data = (object['data'] ?? {}) as Readonly<Record<string, string>>;
  const text = (key: string): string =>
    Object.hasOwn(data, key) ? Buffer.from(data[key]!, 'base64').toString() : '';
  if (!isSame(text('token-secret'), secret) || text('token-id') !== id) return undefined;
  if (hasExpired(text('expiration'), now) || text('usage-bootstrap-authentication') !== 'true')
    return undefined;
  const groups = groupsOf(text('auth-extra-groups'));
  return groups && { user: authenticatedUser(`system:bootstrap:${id}`, '', groups) };
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** A time that cannot be read has passed. */
function hasExpired(expiration: string, now: number): boolean {
  if (expiration === '') return false;
  return !RFC3339.test(expiration) || !(Date.parse(expiration) > now);
}

/** Undefined: one of them is not a group of bootstrap tokens. */
function groupsOf(extra: string): string[] | undefined {
  const groups = extra === '' ? [] : extra.split(',');
  return groups.every((group) => GROUP.test(group))
    ? [...new Set([DEFAULT_GROUP, ...groups])].sort()
    : undefined;
}
