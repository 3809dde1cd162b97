// The reviews of both groups, for the registry: TokenReview and SelfSubjectReview are here, access reviews in
// access-reviews.ts.
import { goStruct } from '@instar/kinds';
import { apiErrors, asJson, type KubeObject } from '@instar/machinery';
import type { ReviewResource } from '../../objects/virtual-resource.ts';
import type { UserInfo } from '../../wire/exchange.ts';
import { accessReviews } from './access-reviews.ts';
import { sharedAudiences } from './authentication/audiences.ts';
import { refusalText, type Verdict } from './authentication/verdict.ts';
import type { Authenticator } from './authenticator.ts';
import type { Authorizer } from './authorizer.ts';
import { fields, text, texts } from './review-fields.ts';
import { registerReviews } from './review-messages.ts';

const GROUP = 'authentication.k8s.io';
const API_VERSION = `${GROUP}/v1`;

export function reviewResources(authenticator: Authenticator, authorizer: Authorizer): ReviewResource[] {
  registerReviews();
  return [tokenReview(authenticator), selfSubjectReview(), ...accessReviews(authorizer)];
}

function tokenReview(authenticator: Authenticator): ReviewResource {
  return {
    ...authenticationResource('tokenreview', 'TokenReview'),
    async create(_request, object) {
      const spec =
        fields(asJson(object)['spec'], 'TokenReview.spec', { token: text, audiences: texts }) ?? {};
      const { token } = spec;
      if (typeof token !== 'string')
        throw apiErrors.badRequest('token is required for TokenReview in authentication');
      const asked = (spec['audiences'] as string[] | undefined) ?? authenticator.audiences;
      const headers = { authorization: `Bearer ${token}` };
      const verdict = await authenticator.authenticate({ headers, clientCertificate: undefined }, asked);
      const status = reviewStatus(verdict, asked);
      return { kind: object.kind, apiVersion: API_VERSION, metadata: object.metadata, spec, status };
    },
  };
}

function reviewStatus(verdict: Verdict, asked: readonly string[]): Record<string, unknown> {
  if (verdict === undefined) return { user: {} };
  if ('refused' in verdict) return { user: {}, error: refusalText(verdict) };
  const { user, audiences = [] } = verdict;
  // A credential that names no audience must not pass as one for the audience that was asked about.
  if (asked.length > 0 && sharedAudiences(audiences, asked).length === 0)
    throw apiErrors.internal('error validating audiences');
  return {
    authenticated: true,
    user: userOnWire(user),
    ...(audiences.length > 0 && { audiences }),
  };
}

function selfSubjectReview(): ReviewResource {
  return {
    ...authenticationResource('selfsubjectreview', 'SelfSubjectReview'),
    async create(request, object): Promise<KubeObject> {
      const creationTimestamp = `${new Date().toISOString().slice(0, 19)}Z`;
      return {
        kind: object.kind,
        apiVersion: API_VERSION,
        metadata: { creationTimestamp },
        status: { userInfo: userOnWire(request.user) },
      };
    },
  };
}

function authenticationResource(singular: string, kind: string): Omit<ReviewResource, 'create'> {
  return {
    group: GROUP,
    version: 'v1',
    resource: `${singular}s`,
    singular,
    kind,
    namespaced: false,
    verbs: ['create'],
    type: goStruct(`authentication/v1.${kind}`),
  };
}

function userOnWire({ name, uid, groups, extra }: UserInfo): Record<string, unknown> {
  return {
    username: name,
    ...(uid !== '' && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}
