// Tokens that TokenRequests made: valid for a while, and as long as the account and what they are bound to
// are there, known by their uids.
import type { JsonObject, ObjectMeta } from '@instar/machinery';
import { apiErrors } from '@instar/machinery';
import type { UserInfo } from '../../../wire/exchange.ts';
import { authenticatedUser, serviceAccountGroups, serviceAccountUser } from '../users.ts';
import type { FindBound } from './bound-objects.ts';
import { objectClaim, textClaim, timeClaim } from './claims.ts';
import type { TokenVerdict } from './service-account-tokens.ts';

/** Clocks differ. */
const LEEWAY_SECONDS = 60;
const EXTRA = 'authentication.kubernetes.io/';
const INVALIDATED = 'service account token has been invalidated';

export async function checkBoundToken(
  claims: JsonObject,
  find: FindBound,
  nowMs: number,
): Promise<TokenVerdict> {
  const now = nowMs / 1000;
  const refused = timeFault(claims, now);
  if (refused !== undefined) return { refused };
  const about = objectClaim(claims, 'kubernetes.io') ?? {};
  const namespace = textClaim(about, 'namespace');
  const account = objectClaim(about, 'serviceaccount') ?? {};
  const [name, uid] = [textClaim(account, 'name'), textClaim(account, 'uid')];
  const found = await find('serviceaccounts', namespace, name);
  if (found === undefined)
    return { refused: apiErrors.notFound({ group: '', resource: 'serviceaccounts' }, name).message };
  if (found.metadata.uid !== uid)
    return { refused: `service account UID (${found.metadata.uid}) does not match claim (${uid})` };
  if (isGone(found.metadata, now))
    return { refused: `service account ${namespace}/${name} has been deleted` };
  const fault = await bindingFault(about, namespace, find, now);
  if (fault !== undefined) return { refused: fault };
  const user = userOf(claims, about, namespace, name, uid);
  const late = now - (timeClaim(about, 'warnafter') || now);
  if (late <= 0) return { user };
  // The holder should have read a new token by now, which it can once this one expires.
  const stale = `subject: ${textClaim(claims, 'sub')}, seconds after warning threshold: ${Math.floor(late)}`;
  return { user, annotations: { 'authentication.k8s.io/stale-token': stale } };
}

function timeFault(claims: JsonObject, now: number): string | undefined {
  const [nbf, exp, iat] = ['nbf', 'exp', 'iat'].map((name) => timeClaim(claims, name));
  if (nbf !== undefined && now + LEEWAY_SECONDS < nbf) return 'service account token is not valid yet';
  if (exp !== undefined && now - LEEWAY_SECONDS > exp) return 'service account token has expired';
  if (iat !== undefined && now + LEEWAY_SECONDS < iat) return 'service account token is issued in the future';
  return undefined;
}

/** What is being deleted counts for as long as clocks may differ, so that pods can end in peace. */
const isGone = ({ deletionTimestamp }: ObjectMeta, now: number): boolean =>
  deletionTimestamp != null && Date.parse(deletionTimestamp) / 1000 < now - LEEWAY_SECONDS;

const BINDINGS = [
  { kind: 'secret', plural: 'secrets' },
  { kind: 'pod', plural: 'pods' },
  { kind: 'node', plural: 'nodes' },
] as const;

async function bindingFault(
  about: JsonObject,
  namespace: string,
  find: FindBound,
  now: number,
): Promise<string | undefined> {
  for (const { kind, plural } of BINDINGS) {
    const reference = objectClaim(about, kind);
    if (reference === undefined) continue;
    // The node of a pod is only said: the token is bound to the pod.
    if (kind === 'node' && objectClaim(about, 'pod') !== undefined) continue;
    const [name, uid] = [textClaim(reference, 'name'), textClaim(reference, 'uid')];
    const found = await find(plural, plural === 'nodes' ? '' : namespace, name);
    if (found === undefined) return INVALIDATED;
    if (found.metadata.uid !== uid)
      return `${kind} UID (${found.metadata.uid}) does not match service account ${kind} ref claim (${uid})`;
    if (isGone(found.metadata, now)) return INVALIDATED;
  }
  return undefined;
}

function userOf(
  claims: JsonObject,
  about: JsonObject,
  namespace: string,
  name: string,
  uid: string,
): UserInfo {
  const pod = objectClaim(about, 'pod') ?? {};
  const node = objectClaim(about, 'node') ?? {};
  const jti = textClaim(claims, 'jti');
  const [podName, podUid] = [textClaim(pod, 'name'), textClaim(pod, 'uid')];
  const [nodeName, nodeUid] = [textClaim(node, 'name'), textClaim(node, 'uid')];
  const hasPod = podName !== '' && podUid !== '';
  const extra = {
    ...(jti !== '' && { [`${EXTRA}credential-id`]: [`JTI=${jti}`] }),
    ...(nodeName !== '' && { [`${EXTRA}node-name`]: [nodeName] }),
    ...(nodeName !== '' && nodeUid !== '' && { [`${EXTRA}node-uid`]: [nodeUid] }),
    ...(hasPod && { [`${EXTRA}pod-name`]: [podName], [`${EXTRA}pod-uid`]: [podUid] }),
  };
  const user = authenticatedUser(serviceAccountUser(namespace, name), uid, serviceAccountGroups(namespace));
  return { ...user, extra };
}
