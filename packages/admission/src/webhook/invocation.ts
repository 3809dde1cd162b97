// Whether a webhook whose rules match is called, and the call itself.

import { quoteGo } from '@instar/go';
import { type ApiError, apiErrors, type KubeObject } from '@instar/machinery';
import { Activation } from '../cel/activation.ts';
import { requestValue } from '../cel/request-value.ts';
import type { AdmissionHost } from '../host.ts';
import { type ConditionsOutcome, evaluateConditions } from '../match/match-conditions.ts';
import { isSelected } from '../match/selectors.ts';
import type { AdmissionType } from '../observer.ts';
import type { AdmissionSubject } from '../subject.ts';
import type { VersionedObject } from '../versioned-object.ts';
import { CallFailure, Denial, denialOf, failedCall } from './failures.ts';
import { encodeReview } from './review-request.ts';
import { type AdmissionVerdict, readVerdict } from './review-response.ts';
import type { WebhookMatch } from './webhook-set.ts';

export interface InvocationContext {
  readonly subject: AdmissionSubject;
  readonly type: AdmissionType;
  readonly host: AdmissionHost;
}

/** `object` is the current object, in any version. Throws an ApiError if this cannot be decided. */
export async function shouldCall(
  { webhook, mapping }: WebhookMatch,
  object: KubeObject | undefined,
  inKind: () => Promise<VersionedObject>,
  request: InvocationContext,
): Promise<boolean> {
  const { subject, host } = request;
  const { namespaceSelector: byNamespace, objectSelector: byObject } = webhook.selectors;
  const selectsAll = 'empty' in byNamespace && byNamespace.empty && 'empty' in byObject && byObject.empty;
  if (!selectsAll && !(await isSelected(webhook.selectors, subject, object, host.namespaceLabels)))
    return false;
  if (webhook.matchConditions.length === 0) return true;
  const versioned = await inKind();
  const start = host.now();
  const activation = new Activation({
    object: versioned.objectValue,
    oldObject: versioned.oldValue,
    request: requestValue(subject, { resource: subject.resource, kind: mapping.kind }),
    authorize: host.authorize,
    subject,
  });
  const outcome = evaluateConditions(webhook.matchConditions, activation);
  observeConditions(webhook.name, outcome, start, request);
  if ('matches' in outcome) return outcome.matches;
  if (webhook.ignoresFailures) return false;
  throw apiErrors.forbidden(
    { group: subject.resource.group, resource: subject.resource.resource },
    subject.name,
    outcome.error,
  );
}

function observeConditions(
  name: string,
  outcome: ConditionsOutcome,
  start: number,
  { subject, type, host }: InvocationContext,
): void {
  const errors = 'error' in outcome ? outcome.failures : 0;
  const excluded = 'matches' in outcome && !outcome.matches;
  host.observer.conditions({
    name,
    kind: 'webhook',
    type,
    operation: subject.operation,
    milliseconds: host.now() - start,
    errors,
    excluded,
  });
}

/** Calls the webhook and returns its verdict. Throws CallFailure, Denial or another ApiError. */
export async function callWebhook(
  { webhook, mapping }: WebhookMatch,
  versioned: VersionedObject,
  { subject, type, host }: InvocationContext,
): Promise<AdmissionVerdict> {
  if (subject.dryRun && !webhook.allowsDryRun) {
    throw apiErrors.badRequest(`admission webhook ${quoteGo(webhook.name)} does not support dry run`);
  }
  const { reviewVersion: version, timeoutMs } = webhook;
  if (version === undefined) throw new CallFailure(NO_REVIEW_VERSION, 400);
  const uid = host.newUid();
  const answer = await host.call(webhook, {
    pieces: encodeReview(uid, version, subject, mapping, versioned),
    timeoutMs,
  });
  // Nothing is written after the client has been sent a timeout.
  if (host.isAborted()) throw requestTimedOut();
  const verdict = readVerdict(answer, { uid, version, mutating: type === 'admit' });
  for (const [key, value] of verdict.auditAnnotations) host.annotate(`${webhook.name}/${key}`, value);
  for (const warning of verdict.warnings) host.warn(warning);
  if (!verdict.allowed) throw denialOf(webhook.name, verdict.status);
  return verdict;
}

const NO_REVIEW_VERSION =
  'could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)';

/** Which call it is, for the audit log: webhooks are called in rounds. */
export interface WebhookPosition {
  readonly round: 0 | 1;
  readonly index: number;
}

const failedOpenKey = (type: AdmissionType, position: WebhookPosition): string =>
  `failed-open.${type === 'admit' ? 'mutation' : 'validating'}.${positionKey(position)}`;

export const positionKey = ({ round, index }: WebhookPosition): string =>
  `webhook.admission.k8s.io/round_${round}_index_${index}`;

/**
 * Runs a call, reports it to the observer, and applies the failurePolicy to a failure: undefined if it is
 * ignored, otherwise an ApiError is thrown.
 */
export async function withFailurePolicy<T>(
  { webhook }: WebhookMatch,
  request: InvocationContext,
  position: WebhookPosition,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const { host, subject, type } = request;
  const start = host.now();
  const about = () => ({
    name: webhook.name,
    type,
    operation: subject.operation,
    milliseconds: host.now() - start,
  });
  try {
    const result = await work();
    host.observer.webhook({ ...about(), rejected: false, code: 200, failedOpen: false });
    return result;
  } catch (error) {
    if (!(error instanceof CallFailure)) {
      const denied = error instanceof Denial;
      const errorType = denied ? 'no_error' : 'apiserver_internal_error';
      host.observer.webhook({
        ...about(),
        rejected: true,
        code: denied ? error.code : 0,
        errorType,
        failedOpen: false,
      });
      throw error;
    }
    const failedOpen = webhook.ignoresFailures;
    const rejection = failedOpen
      ? { rejected: false }
      : { rejected: true, errorType: 'calling_webhook_error' as const };
    host.observer.webhook({ ...about(), ...rejection, code: error.code, failedOpen });
    if (!failedOpen) throw callError(webhook.name, error);
    if (host.isAborted()) throw requestTimedOut();
    host.annotate(failedOpenKey(type, position), webhook.name);
    return undefined;
  }
}

const callError = (webhook: string, failure: CallFailure): ApiError =>
  apiErrors.internal(failedCall(webhook, failure.message));

export const requestTimedOut = (): ApiError =>
  apiErrors.timeout('request did not complete within requested timeout');
