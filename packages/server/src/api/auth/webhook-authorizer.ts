// Asks a webhook with a SubjectAccessReview. Answers are cached for a while. What the webhook cannot be asked
// is decided by the failure policy, and reported as an error. The network is passed in.
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import type { Attributes, Authorizer, Decision, Rules } from './authorizer.ts';
import { ExpiringAnswers } from './expiring-answers.ts';

/** A webhook that authorizes requests. */
export interface WebhookAuthorization {
  readonly version: 'v1' | 'v1beta1';
  readonly authorizedTtlMs: number;
  readonly unauthorizedTtlMs: number;
  /** What an unreachable webhook means. */
  readonly failurePolicy: 'NoOpinion' | 'Deny';
  /** Sends a SubjectAccessReview and returns the body of the answer; rejects if there is none. */
  send(review: object): Promise<unknown>;
}

const GROUP = 'authorization.k8s.io';
/** Attributes that clients control freely must not fill the cache. */
const MAX_CACHED_LENGTH = 10_000;
const MAX_ANSWERS = 8192;

export class WebhookAuthorizer implements Authorizer {
  readonly #webhook: WebhookAuthorization;
  readonly #answers: ExpiringAnswers<Decision>;

  constructor(webhook: WebhookAuthorization, now: () => number = Date.now) {
    this.#webhook = webhook;
    this.#answers = new ExpiringAnswers(MAX_ANSWERS, now);
  }

  authorize(attributes: Attributes): Decision | Promise<Decision> {
    const spec = specOf(attributes, this.#webhook.version);
    const key = JSON.stringify(spec);
    return this.#answers.get(key) ?? this.#ask(attributes, spec, key);
  }

  rulesFor(): Rules {
    return {
      resourceRules: [],
      nonResourceRules: [],
      incomplete: true,
      evaluationError: 'webhook authorizer does not support user rule resolution',
    };
  }

  async #ask(attributes: Attributes, spec: JsonObject, key: string): Promise<Decision> {
    const { version, authorizedTtlMs, unauthorizedTtlMs, failurePolicy } = this.#webhook;
    const review = { kind: 'SubjectAccessReview', apiVersion: `${GROUP}/${version}`, metadata: {}, spec };
    try {
      const status = statusOf(await this.#webhook.send(review));
      const decision = decisionOf(status);
      if (isCacheable(attributes))
        this.#answers.set(key, decision, status['allowed'] === true ? authorizedTtlMs : unauthorizedTtlMs);
      return decision;
    } catch (error) {
      const decision = failurePolicy === 'Deny' ? 'deny' : 'no-opinion';
      return { decision, reason: '', error: error instanceof Error ? error.message : String(error) };
    }
  }
}

function specOf(attributes: Attributes, version: 'v1' | 'v1beta1'): JsonObject {
  const { user } = attributes;
  return {
    ...(attributes.isResourceRequest
      ? { resourceAttributes: resourceAttributes(attributes) }
      : { nonResourceAttributes: set({ path: attributes.path, verb: attributes.verb }) }),
    ...set({ user: user.name }),
    // The only field that has another name in the older version.
    ...(user.groups.length > 0 && { [version === 'v1' ? 'groups' : 'group']: [...user.groups] }),
    ...(Object.keys(user.extra).length > 0 && { extra: user.extra as unknown as JsonObject }),
    ...set({ uid: user.uid }),
  };
}

function resourceAttributes(attributes: Attributes): JsonObject {
  const { namespace, verb, group, version, resource, subresource, name } = attributes;
  const { field, label } = attributes.selectors?.() ?? { field: [], label: [] };
  const selector = (requirements: typeof field): JsonObject => ({ requirements: requirements as never });
  return {
    ...set({ namespace, verb, group, version, resource, subresource, name }),
    ...(field.length > 0 && { fieldSelector: selector(field) }),
    ...(label.length > 0 && { labelSelector: selector(label) }),
  };
}

/** Without the empty ones, as Go's omitempty. */
const set = (texts: Readonly<Record<string, string>>): JsonObject =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));

function statusOf(answer: unknown): JsonObject {
  const status = isJsonObject(answer as JsonValue) ? (answer as JsonObject)['status'] : undefined;
  if (status === undefined || !isJsonObject(status))
    throw new Error('the authorization webhook did not answer with a SubjectAccessReview');
  return status;
}

function decisionOf({ allowed, denied, reason }: JsonObject): Decision {
  const text = typeof reason === 'string' ? reason : '';
  if (allowed === true && denied === true) {
    const error = 'webhook subject access review returned both allow and deny response';
    return { decision: 'deny', reason: text, error };
  }
  return { decision: denied === true ? 'deny' : allowed === true ? 'allow' : 'no-opinion', reason: text };
}

function isCacheable({
  namespace,
  verb,
  group,
  version,
  resource,
  subresource,
  name,
  path,
}: Attributes): boolean {
  const controlled = [namespace, verb, group, version, resource, subresource, name, path];
  return controlled.reduce((sum, text) => sum + text.length, 0) < MAX_CACHED_LENGTH;
}
