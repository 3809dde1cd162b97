// Tokens in secrets of the type kubernetes.io/service-account-token. They do not expire: they are valid while
// the secret holds exactly this token.
import { timingSafeEqual } from 'node:crypto';
import { isJsonObject, type JsonObject, type KubeObject } from '@instar/machinery';
import {
  authenticatedUser,
  serviceAccountGroups,
  serviceAccountUser,
  splitServiceAccount,
} from '../users.ts';
import type { FindBound } from './bound-objects.ts';
import { textClaim } from './claims.ts';
import type { TokenVerdict } from './service-account-tokens.ts';

export const LEGACY_ISSUER = 'kubernetes/serviceaccount';
const CLAIM = 'kubernetes.io/serviceaccount/';
const INVALID_SINCE = 'kubernetes.io/legacy-token-invalid-since';
const LAST_USED = 'kubernetes.io/legacy-token-last-used';
const AUTOMATIC =
  'Use tokens from the TokenRequest API or manually created secret-based tokens instead of auto-generated secret-based tokens.';
const DAY_MS = 24 * 3600 * 1000;

/** Labels a secret with the day on which its token was last used. */
export type MarkUsed = (secret: KubeObject, label: string, day: string) => void;

interface LegacyServices {
  readonly find: FindBound;
  readonly markUsed: MarkUsed;
}

interface LegacyClaims {
  readonly namespace: string;
  readonly secretName: string;
  readonly name: string;
  readonly uid: string;
}

export async function checkLegacyToken(
  token: string,
  payload: JsonObject,
  { find, markUsed }: LegacyServices,
  nowMs: number,
): Promise<TokenVerdict> {
  const claims = readClaims(payload);
  if (typeof claims === 'string') return { refused: claims };
  const { namespace, secretName, name, uid } = claims;
  const secret = (await find('secrets', namespace, secretName))?.parse();
  if (secret === undefined || secret.metadata.deletionTimestamp != null)
    return { refused: 'Token has been invalidated' };
  if (!holds(secret, token)) return { refused: "Token does not match server's copy" };
  const account = (await find('serviceaccounts', namespace, name))?.parse();
  if (account === undefined) return { refused: `serviceaccounts ${JSON.stringify(name)} not found` };
  if (account.metadata.deletionTimestamp != null)
    return { refused: `ServiceAccount ${namespace}/${name} has been deleted` };
  if (account.metadata.uid !== uid)
    return { refused: `ServiceAccount UID (${account.metadata.uid}) does not match claim (${uid})` };
  markIfNew(secret, markUsed, nowMs);
  if (secret.metadata.labels?.[INVALID_SINCE])
    return {
      refused: `the token in secret ${namespace}/${secretName} for service account ${namespace}/${name} has been marked invalid. Use tokens from the TokenRequest API or manually created secret-based tokens, or remove the '${INVALID_SINCE}' label from the secret to temporarily allow use of this token`,
    };
  const user = authenticatedUser(serviceAccountUser(namespace, name), uid, serviceAccountGroups(namespace));
  return { user, ...(isListed(account, secretName) && { warnings: [AUTOMATIC] }) };
}

function readClaims(payload: JsonObject): LegacyClaims | string {
  const sub = textClaim(payload, 'sub');
  if (sub === '') return 'sub claim is missing';
  const namespace = textClaim(payload, `${CLAIM}namespace`);
  if (namespace === '') return 'namespace claim is missing';
  const secretName = textClaim(payload, `${CLAIM}secret.name`);
  if (secretName === '') return 'secretName claim is missing';
  const name = textClaim(payload, `${CLAIM}service-account.name`);
  if (name === '') return 'serviceAccountName claim is missing';
  const uid = textClaim(payload, `${CLAIM}service-account.uid`);
  if (uid === '') return 'serviceAccountUID claim is missing';
  const subject = splitServiceAccount(sub);
  return subject?.namespace === namespace && subject.name === name
    ? { namespace, secretName, name, uid }
    : 'sub claim is invalid';
}

function holds(secret: KubeObject, token: string): boolean {
  const { data } = secret as { data?: Record<string, string> };
  const stored = Buffer.from(data?.['token'] ?? '', 'base64');
  const given = Buffer.from(token);
  return stored.length === given.length && timingSafeEqual(stored, given);
}

/** Those that a controller once made are listed in the account. */
function isListed(account: KubeObject, secretName: string): boolean {
  const { secrets } = account as { secrets?: unknown };
  return (
    Array.isArray(secrets) && secrets.some((secret) => isJsonObject(secret) && secret['name'] === secretName)
  );
}

/** Once a day; servers need not agree on when it begins. */
function markIfNew(secret: KubeObject, markUsed: MarkUsed, nowMs: number): void {
  const [today, tomorrow] = [nowMs, nowMs + DAY_MS].map((time) => new Date(time).toISOString().slice(0, 10));
  const last = secret.metadata.labels?.[LAST_USED];
  if (last !== today && last !== tomorrow) markUsed(secret, LAST_USED, today!);
}
