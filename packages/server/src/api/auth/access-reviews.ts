// SelfSubjectAccessReview, SubjectAccessReview, LocalSubjectAccessReview and SelfSubjectRulesReview: queries
// to the authorizer in the form of objects.
import { goStruct } from '@instar/kinds';
import {
  apiErrors,
  asJson,
  type FieldError,
  fieldErrors,
  type JsonObject,
  type JsonValue,
  type KubeObject,
} from '@instar/machinery';
import type { ReviewResource } from '../../objects/virtual-resource.ts';
import type { ApiRequest, UserInfo } from '../../wire/exchange.ts';
import type { Attributes, Authorizer } from './authorizer.ts';
import { fields, list, object, text, textLists, texts } from './review-fields.ts';
import {
  type ReviewSelector,
  readFieldSelector,
  readLabelSelector,
  selectorFaults,
} from './review-selectors.ts';

const GROUP = 'authorization.k8s.io';
const API_VERSION = `${GROUP}/v1`;

const REQUIREMENT = object({ key: text, operator: text, values: texts });
const SELECTOR = object({ rawSelector: text, requirements: list(REQUIREMENT) });
const RESOURCE_ATTRIBUTES = object({
  namespace: text,
  verb: text,
  group: text,
  version: text,
  resource: text,
  subresource: text,
  name: text,
  fieldSelector: SELECTOR,
  labelSelector: SELECTOR,
});
const SELF_SPEC = {
  resourceAttributes: RESOURCE_ATTRIBUTES,
  nonResourceAttributes: object({ path: text, verb: text }),
};
const SUBJECT_SPEC = { ...SELF_SPEC, user: text, groups: texts, extra: textLists, uid: text };

interface ResourceAttributes {
  readonly namespace?: string;
  readonly verb?: string;
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly name?: string;
  readonly fieldSelector?: ReviewSelector;
  readonly labelSelector?: ReviewSelector;
}

interface AccessReviewSpec {
  readonly resourceAttributes?: ResourceAttributes;
  readonly nonResourceAttributes?: Record<string, string>;
  readonly user?: string;
  readonly groups?: string[];
  readonly extra?: Record<string, string[]>;
  readonly uid?: string;
}

export function accessReviews(authorizer: Authorizer): ReviewResource[] {
  const answer = async (
    request: ApiRequest,
    review: KubeObject,
    spec: JsonObject,
    user: UserInfo,
  ): Promise<KubeObject> => {
    const attributes = attributesIn(spec as AccessReviewSpec, user);
    const { decision, reason, error } = await authorizer.authorize(attributes);
    const ignored = ignoredSelectors((spec as AccessReviewSpec).resourceAttributes);
    const evaluationError = [error, ...ignored].filter((text) => text !== undefined).join('; ');
    const status = {
      allowed: decision === 'allow',
      ...(decision === 'deny' && { denied: true }),
      ...(reason !== '' && { reason }),
      ...(evaluationError !== '' && { evaluationError }),
    };
    const { managedFields } = review.metadata;
    const metadata = {
      ...(request.info.namespace !== '' && { namespace: request.info.namespace }),
      ...(managedFields !== undefined && { managedFields }),
    };
    return { kind: review.kind, apiVersion: API_VERSION, metadata, spec, status };
  };
  const aboutSelf = (request: ApiRequest, review: KubeObject): Promise<KubeObject> => {
    const spec = specOf(review, SELF_SPEC);
    check([...attributesFaults(spec), ...selectorFaultsIn(spec), ...metadataFaults(review, false)]);
    return answer(request, review, spec, request.user);
  };
  const aboutSubject = (request: ApiRequest, review: KubeObject): Promise<KubeObject> => {
    const spec = specOf(review, SUBJECT_SPEC);
    check([
      ...attributesFaults(spec),
      ...subjectFaults(spec),
      ...selectorFaultsIn(spec),
      ...metadataFaults(review, false),
    ]);
    return answer(request, review, spec, subjectOf(spec as AccessReviewSpec));
  };
  const inNamespace = (request: ApiRequest, review: KubeObject): Promise<KubeObject> => {
    const spec = specOf(review, SUBJECT_SPEC);
    const namespace = review.metadata.namespace ?? request.info.namespace;
    check([
      ...attributesFaults(spec),
      ...subjectFaults(spec),
      ...selectorFaultsIn(spec),
      ...metadataFaults(review, true),
      ...namespaceFaults(spec, namespace),
    ]);
    return answer(request, review, spec, subjectOf(spec as AccessReviewSpec));
  };
  return [
    review('selfsubjectaccessreview', 'SelfSubjectAccessReview', false, aboutSelf),
    review('subjectaccessreview', 'SubjectAccessReview', false, aboutSubject),
    review('localsubjectaccessreview', 'LocalSubjectAccessReview', true, inNamespace),
    review('selfsubjectrulesreview', 'SelfSubjectRulesReview', false, (request, object) =>
      rulesReview(authorizer, request, object),
    ),
  ];
}

type Create = (request: ApiRequest, object: KubeObject) => Promise<KubeObject>;

/** `create` is async so that faults thrown while the spec is read become rejections like the others. */
function review(singular: string, kind: string, namespaced: boolean, create: Create): ReviewResource {
  return {
    group: GROUP,
    version: 'v1',
    resource: `${singular}s`,
    singular,
    kind,
    namespaced,
    verbs: ['create'],
    type: goStruct(`authorization/v1.${kind}`),
    create: async (request, object) => create(request, object),
  };
}

async function rulesReview(
  authorizer: Authorizer,
  request: ApiRequest,
  object: KubeObject,
): Promise<KubeObject> {
  const { namespace } = specOf(object, { namespace: text });
  if (typeof namespace !== 'string') throw apiErrors.badRequest('no namespace on request');
  const status = await authorizer.rulesFor(request.user, namespace);
  // Upstream answers with a new object: the spec is not repeated.
  return { kind: object.kind, apiVersion: API_VERSION, metadata: {}, spec: {}, status };
}

function specOf(object: KubeObject, readers: Parameters<typeof fields>[2]): JsonObject {
  return fields(asJson(object)['spec'], `${object.kind}.spec`, readers) ?? {};
}

function attributesIn(
  { resourceAttributes: r, nonResourceAttributes: n }: AccessReviewSpec,
  user: UserInfo,
): Attributes {
  return {
    user,
    verb: r?.verb ?? n?.['verb'] ?? '',
    isResourceRequest: r !== undefined,
    group: r?.group ?? '',
    version: r?.version ?? (r === undefined ? '' : '*'),
    resource: r?.resource ?? '',
    subresource: r?.subresource ?? '',
    namespace: r?.namespace ?? '',
    name: r?.name ?? '',
    path: n?.['path'] ?? '',
    selectors: () => ({
      field: readFieldSelector(r?.fieldSelector ?? {}).requirements,
      label: readLabelSelector(r?.labelSelector ?? {}).requirements,
    }),
  };
}

const subjectOf = ({ user = '', uid = '', groups = [], extra = {} }: AccessReviewSpec): UserInfo => ({
  name: user,
  uid,
  groups,
  extra,
});

const selectorFaultsIn = (spec: JsonObject): FieldError[] => {
  const { fieldSelector, labelSelector } = (spec as AccessReviewSpec).resourceAttributes ?? {};
  return selectorFaults(fieldSelector, labelSelector);
};

/** The selectors that the authorizer did not get to see, or not wholly. */
function ignoredSelectors({ fieldSelector = {}, labelSelector = {} }: ResourceAttributes = {}): string[] {
  const read = {
    fieldSelector: readFieldSelector(fieldSelector),
    labelSelector: readLabelSelector(labelSelector),
  };
  return Object.entries(read)
    .filter(([, { isFaulty }]) => isFaulty)
    .map(([name, { requirements }]) => {
      const partially = requirements.length > 0 ? 'partially ' : '';
      return `spec.resourceAttributes.${name} ${partially}ignored due to parse error`;
    });
}

function check(faults: readonly FieldError[]): void {
  // The kind is missing from upstream's message: its decoder has cleared it by then.
  if (faults.length > 0) throw apiErrors.invalid({ group: GROUP, kind: '' }, '', faults);
}

/** Upstream prints the Go struct, whose fields are capitalized. */
function asGoStruct(attributes: JsonValue): JsonValue {
  const { path = '', verb = '' } = attributes as Record<string, string>;
  return { Path: path, Verb: verb };
}

function attributesFaults(spec: JsonObject): FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = spec;
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined) {
    const value = asGoStruct(nonResourceAttributes);
    return [
      fieldErrors.invalid(
        'spec.nonResourceAttributes',
        value,
        'cannot be specified in combination with resourceAttributes',
      ),
    ];
  }
  if (resourceAttributes !== undefined || nonResourceAttributes !== undefined) return [];
  const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return [fieldErrors.invalid('spec.resourceAttributes', null, detail)];
}

function subjectFaults({ user, groups }: JsonObject): FieldError[] {
  return user === undefined && groups === undefined
    ? [fieldErrors.invalid('spec.user', '', 'at least one of user or group must be specified')]
    : [];
}

function metadataFaults({ metadata }: KubeObject, namespaceAllowed: boolean): FieldError[] {
  const set = Object.entries(metadata ?? {}).filter(
    ([key, value]) => value !== null && key !== 'managedFields' && !(namespaceAllowed && key === 'namespace'),
  );
  if (set.length === 0) return [];
  const detail = namespaceAllowed ? 'must be empty except for namespace' : 'must be empty';
  const { managedFields: _, ...shown } = metadata;
  return [fieldErrors.invalid('metadata', shown as unknown as JsonValue, detail)];
}

function namespaceFaults(
  { resourceAttributes, nonResourceAttributes }: JsonObject,
  namespace: string,
): FieldError[] {
  const asked = (resourceAttributes as Record<string, string> | undefined)?.['namespace'] ?? '';
  const faults: FieldError[] = [];
  if (resourceAttributes !== undefined && asked !== namespace) {
    faults.push(
      fieldErrors.invalid('spec.resourceAttributes.namespace', asked, 'must match metadata.namespace'),
    );
  }
  if (nonResourceAttributes !== undefined) {
    faults.push(
      fieldErrors.invalid(
        'spec.nonResourceAttributes',
        asGoStruct(nonResourceAttributes),
        'disallowed on this kind of request',
      ),
    );
  }
  return faults;
}
