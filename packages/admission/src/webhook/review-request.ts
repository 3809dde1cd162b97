// The AdmissionReview for a webhook, in pieces: the objects are encoded once for all webhooks of the same
// version.
import { encodeJson, type JsonValue } from '@instar/machinery';
import { requestValue } from '../cel/request-value.ts';
import type { AdmissionSubject, ResourceMapping } from '../subject.ts';
import type { VersionedObject } from '../versioned-object.ts';
import type { ReviewVersion } from './webhook.ts';

export function encodeReview(
  uid: string,
  version: ReviewVersion,
  subject: AdmissionSubject,
  mapping: ResourceMapping,
  versioned: VersionedObject,
): readonly (string | Uint8Array)[] {
  const { dryRun, options, ...said } = requestValue(subject, mapping);
  const head = encodeJson({ uid, ...said } as JsonValue);
  return [
    `{"kind":"AdmissionReview","apiVersion":"${version}","request":${head.slice(0, -1)},"object":`,
    versioned.objectBytes,
    ',"oldObject":',
    versioned.oldBytes,
    `,"dryRun":${encodeJson(dryRun!)},"options":${encodeJson(options!)}}}`,
  ];
}
