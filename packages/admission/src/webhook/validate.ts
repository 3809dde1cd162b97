// Validating webhooks: all that want the request are asked at once, and all must allow it. The first refusal
// to arrive is the one told.
import type { KubeObject } from '@instar/machinery';
import type { AdmissionHost } from '../host.ts';
import type { AdmissionSubject } from '../subject.ts';
import { ObjectVersions } from '../versioned-object.ts';
import { orInternalError } from './failures.ts';
import { ask, isWanted, type Request, requestTimedOut, underPolicy } from './invocation.ts';
import type { Candidate, WebhookSet } from './webhook-set.ts';

/** Throws an ApiError to refuse. */
export async function validate(
  webhooks: WebhookSet,
  subject: AdmissionSubject,
  object: KubeObject | undefined,
  host: AdmissionHost,
): Promise<void> {
  const candidates = webhooks.candidates(subject);
  if (candidates.length === 0) return;
  const versions = new ObjectVersions(subject, object, host);
  const request: Request = { subject, type: 'validating', host };
  const wanted: Candidate[] = [];
  for (const candidate of candidates) {
    const inKind = () => orInternalError(versions.in(candidate.mapping.kind));
    if (!(await isWanted(candidate, object, inKind, request))) continue;
    // What cannot be converted fails the request before anybody is asked.
    await inKind();
    wanted.push(candidate);
  }
  if (wanted.length === 0) return;
  if (host.isAborted()) throw requestTimedOut();
  const errors: unknown[] = [];
  await Promise.all(
    wanted.map((candidate) =>
      askOne(candidate, versions, request).catch((error: unknown) => errors.push(error)),
    ),
  );
  if (errors.length > 0) throw errors[0];
}

async function askOne(candidate: Candidate, versions: ObjectVersions, request: Request): Promise<void> {
  const versioned = await versions.in(candidate.mapping.kind);
  await underPolicy(candidate, request, () => ask(candidate, versioned, request));
}
