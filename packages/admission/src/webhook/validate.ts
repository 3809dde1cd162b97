// Validating webhooks: all that match are called concurrently, and all must allow the request. The first
// denial to arrive is reported.
import type { KubeObject } from '@instar/machinery';
import type { AdmissionHost } from '../host.ts';
import type { AdmissionSubject } from '../subject.ts';
import { ObjectVersions } from '../versioned-object.ts';
import { orInternalError } from './failures.ts';
import {
  callWebhook,
  type InvocationContext,
  requestTimedOut,
  shouldCall,
  withFailurePolicy,
} from './invocation.ts';
import type { WebhookMatch, WebhookSet } from './webhook-set.ts';

/** Throws an ApiError to deny. */
export async function validate(
  webhooks: WebhookSet,
  subject: AdmissionSubject,
  object: KubeObject | undefined,
  host: AdmissionHost,
): Promise<void> {
  const candidates = webhooks.candidates(subject);
  if (candidates.length === 0) return;
  const versions = new ObjectVersions(subject, object, host);
  const request: InvocationContext = { subject, type: 'validating', host };
  const wanted: WebhookMatch[] = [];
  for (const candidate of candidates) {
    const inKind = () => orInternalError(versions.in(candidate.mapping.kind));
    if (!(await shouldCall(candidate, object, inKind, request))) continue;
    // A failed conversion fails the request before any webhook is called.
    await inKind();
    wanted.push(candidate);
  }
  if (wanted.length === 0) return;
  if (host.isAborted()) throw requestTimedOut();
  const errors: unknown[] = [];
  await Promise.all(
    wanted.map((candidate, index) =>
      validateOne(candidate, index, versions, request).catch((error: unknown) => errors.push(error)),
    ),
  );
  if (errors.length > 0) throw errors[0];
}

async function validateOne(
  candidate: WebhookMatch,
  index: number,
  versions: ObjectVersions,
  request: InvocationContext,
): Promise<void> {
  const versioned = await versions.in(candidate.mapping.kind);
  await withFailurePolicy(candidate, request, { round: 0, index }, () =>
    callWebhook(candidate, versioned, request),
  );
}
