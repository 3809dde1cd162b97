// serviceaccounts/token: a TokenRequest is answered with a token for the account. Nothing is stored: who
// holds the token can use it until it expires, or until what it is bound to is gone.
import { randomUUID } from 'node:crypto';
import { quoteGo } from '@instar/go';
import { goStruct } from '@instar/kinds';
import { apiErrors, type FieldError, fieldErrors, type JsonValue, type KubeObject } from '@instar/machinery';
import type { ResourceDefinition } from '../../objects/definition.ts';
import type { CreateCall, CreatedSubresource } from '../../objects/subresource.ts';
import { timestamp } from '../../objects/write/system-fields.ts';
import { registerMessage } from '../../wire/protobuf/kinds.ts';
import { messageOf } from '../typed/protobuf-of.ts';
import type { Pod } from '../validate/pod/pod-types.ts';

/** What a token says of an object: its name, and the uid that only this object of the name has. */
interface TokenReference {
  readonly name: string;
  readonly uid?: string;
}

/** The members of a token beside its issuer. */
export interface TokenClaims {
  readonly aud: readonly string[];
  readonly exp: number;
  readonly iat: number;
  readonly nbf: number;
  readonly jti: string;
  readonly sub: string;
  readonly 'kubernetes.io': {
    readonly namespace: string;
    readonly node?: TokenReference;
    readonly pod?: TokenReference;
    readonly secret?: TokenReference;
    readonly serviceaccount: TokenReference;
    readonly warnafter?: number;
  };
}

/** Signs tokens, and says what they may be. */
export interface TokenIssuer {
  /** Of tokens whose request names none. */
  readonly audiences: readonly string[];
  /** 0: no limit besides that of the kind. */
  readonly maxExpirationSeconds: number;
  /** Tokens of pods that ask for the usual hour live for a year: old clients do not read them again. */
  readonly extendsExpiration: boolean;
  sign(claims: TokenClaims): Promise<string>;
}

interface TokenRequest extends KubeObject {
  spec: {
    audiences?: string[] | null;
    expirationSeconds?: number | null;
    boundObjectRef?: { kind?: string; apiVersion?: string; name?: string; uid?: string } | null;
  };
}

type BoundTo = Partial<Record<'node' | 'pod' | 'secret', TokenReference>>;

const GROUP = 'authentication.k8s.io';
const KIND = { group: GROUP, kind: 'TokenRequest' };
const TYPE = goStruct('authentication/v1.TokenRequest');
/** Of the audit event. */
const CREDENTIAL_ID = 'authentication.kubernetes.io/issued-credential-id';
const DEFAULT_SECONDS = 3600;
const MIN_SECONDS = 600;
const MAX_SECONDS = 2 ** 32;
/** What the ServiceAccount plug-in asks for in pods: an hour, and a mark by which it is recognized. */
export const WARN_ONLY_SECONDS = 3607;
const EXTENDED_SECONDS = 365 * 24 * 3600;

registerMessage(`${GROUP}/v1`, KIND.kind, messageOf(TYPE));

/** The kind with tokens: without an issuer, there are none. */
export function withTokens(definition: ResourceDefinition, issuer: TokenIssuer): ResourceDefinition {
  const subresource: CreatedSubresource = {
    style: 'create',
    name: 'token',
    kind: { ...KIND, version: 'v1' },
    type: TYPE,
    // Unlike most pointers, these are null on the wire rather than absent.
    blank: {
      spec: { audiences: null, expirationSeconds: null, boundObjectRef: null },
      status: { token: '', expirationTimestamp: null },
    },
    fillIn: (object) => {
      (object as unknown as TokenRequest).spec.expirationSeconds ??= DEFAULT_SECONDS;
    },
    create: (call) => issueToken(call, issuer),
  };
  const versions = definition.versions.map((version) =>
    Object.defineProperties({} as typeof version, {
      ...Object.getOwnPropertyDescriptors(version),
      subresources: { value: [subresource], enumerable: true },
    }),
  );
  return { ...definition, versions };
}

async function issueToken(call: CreateCall, issuer: TokenIssuer): Promise<KubeObject> {
  const request = call.object as TokenRequest;
  if (request.metadata.name && request.metadata.name !== call.name)
    throw apiErrors.invalid(KIND, call.name, [
      fieldErrors.invalid(
        'metadata.name',
        request.metadata.name,
        'must match the service account name if specified',
      ),
    ]);
  const account = await call.read();
  complete(request, account, issuer, call.now);
  const errors = validate(request);
  if (errors.length > 0) throw apiErrors.invalid(KIND, '', errors);
  await call.admit();
  const bound = await findBound(call, request);
  limitLifetime(call, request, issuer);
  const claims = claimsOf(request, account, bound, issuer, Date.parse(call.now) / 1000);
  call.request.audit?.annotate('authentication.kubernetes.io/issued-credential-id', `JTI=${claims.jti}`);
  const expirationTimestamp = timestamp((claims.iat + Number(request.spec.expirationSeconds)) * 1000);
  call.request.audit?.annotate(CREDENTIAL_ID, `JTI=${claims.jti}`);
  return {
    ...request,
    status: { token: await issuer.sign(claims), expirationTimestamp },
  } as unknown as KubeObject;
}

function complete(
  { metadata, spec }: TokenRequest,
  account: KubeObject,
  issuer: TokenIssuer,
  now: string,
): void {
  const { name, namespace, uid } = account.metadata;
  if (metadata.uid && metadata.uid !== uid) {
    const why = `the UID in the token request (${metadata.uid}) does not match the UID of the service account (${uid})`;
    throw apiErrors.conflict({ group: GROUP, resource: KIND.kind }, name!, why);
  }
  const { audiences, expirationSeconds, boundObjectRef = null } = spec;
  const named = audiences == null || audiences.length === 0 ? [...issuer.audiences] : audiences;
  Object.assign(spec, { audiences: named, expirationSeconds, boundObjectRef });
  Object.assign(metadata, { name, namespace, uid, creationTimestamp: now });
}

function validate({ spec: { expirationSeconds } }: TokenRequest): FieldError[] {
  const refuse = (why: string) => [
    fieldErrors.invalid('spec.expirationSeconds', expirationSeconds as JsonValue, why),
  ];
  const seconds = expirationSeconds!;
  if (seconds < MIN_SECONDS) return refuse('may not specify a duration less than 10 minutes');
  return seconds > MAX_SECONDS ? refuse('may not specify a duration larger than 2^32 seconds') : [];
}

async function findBound(call: CreateCall, { spec: { boundObjectRef } }: TokenRequest): Promise<BoundTo> {
  if (boundObjectRef == null) return {};
  const { kind = '', apiVersion = '', name = '', uid } = boundObjectRef;
  const { group, version } = parseApiVersion(apiVersion);
  const find = async (plural: string, namespace: string): Promise<KubeObject> => {
    if (name === '') throw apiErrors.badRequest('Name parameter required.');
    const found = await call.find('', plural, namespace, name);
    if (found === undefined) throw apiErrors.notFound({ group: '', resource: plural }, name);
    return found;
  };
  const read = (): Promise<KubeObject> => {
    if (group === '' && kind === 'Pod') return find('pods', call.namespace);
    if (group === '' && kind === 'Secret') return find('secrets', call.namespace);
    if (group === '' && kind === 'Node') return find('nodes', '');
    const gvk = `${group}/${version}, Kind=${kind}`;
    throw apiErrors.badRequest(`cannot bind token to object of type ${gvk}`);
  };
  const object = await read();
  const bound =
    kind === 'Pod' ? await boundToPod(call, object as Pod) : { [kind.toLowerCase()]: referenceTo(object) };
  if (uid && uid !== object.metadata.uid) {
    const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw apiErrors.conflict({ group, resource: kind }, name, why);
  }
  return bound;
}

/** The node is for whoever inspects the token: it need not exist. */
async function boundToPod(call: CreateCall, pod: Pod): Promise<BoundTo> {
  const { serviceAccountName = '', nodeName } = pod.spec;
  if (serviceAccountName !== call.name)
    throw apiErrors.badRequest(
      `cannot bind token for serviceaccount ${quoteGo(call.name)} to pod running with different serviceaccount name.`,
    );
  if (!nodeName) return { pod: referenceTo(pod) };
  const node = await call.find('', 'nodes', '', nodeName);
  return { node: node === undefined ? { name: nodeName } : referenceTo(node), pod: referenceTo(pod) };
}

const referenceTo = ({ metadata }: KubeObject): TokenReference => ({
  name: metadata.name!,
  ...(metadata.uid !== undefined && { uid: metadata.uid }),
});

/** Anything that is not an apiVersion counts as none. */
function parseApiVersion(text: string): { group: string; version: string } {
  const parts = text.split('/');
  if (parts.length > 2 || text === '/') return { group: '', version: '' };
  return parts.length === 2 ? { group: parts[0]!, version: parts[1]! } : { group: '', version: text };
}

function limitLifetime({ request }: CreateCall, { spec }: TokenRequest, issuer: TokenIssuer): void {
  const { maxExpirationSeconds: max } = issuer;
  if (max === 0 || spec.expirationSeconds! <= max) return;
  request.warnings.push(
    `requested expiration of ${spec.expirationSeconds} seconds shortened to ${max} seconds`,
  );
  spec.expirationSeconds = max;
}

function claimsOf(
  { spec }: TokenRequest,
  account: KubeObject,
  bound: BoundTo,
  { audiences, extendsExpiration }: TokenIssuer,
  now: number,
): TokenClaims {
  const wanted = Number(spec.expirationSeconds);
  const isExtended =
    extendsExpiration &&
    bound.pod !== undefined &&
    wanted === WARN_ONLY_SECONDS &&
    spec.audiences!.every((audience) => audiences.includes(audience));
  const { namespace } = account.metadata;
  return {
    aud: spec.audiences!,
    exp: now + (isExtended ? EXTENDED_SECONDS : wanted),
    iat: now,
    jti: randomUUID(),
    'kubernetes.io': {
      namespace: namespace!,
      ...bound,
      serviceaccount: referenceTo(account),
      ...(isExtended && { warnafter: now + wanted }),
    },
    nbf: now,
    sub: `system:serviceaccount:${namespace}:${account.metadata.name}`,
  };
}
