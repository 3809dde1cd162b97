// The reviews that a real API server sent, out of the recordings.
import type { JsonObject } from '@instar/machinery';
import { readRecording, recordingsOf } from '@instar/testing';

export interface Recorded {
  readonly where: string;
  readonly review: JsonObject;
}

/** Only those that are whole: some recordings keep no more than the names of the fields. */
export function recordedReviews(kind: 'AdmissionReview' | 'ConversionReview'): Recorded[] {
  const area = kind === 'AdmissionReview' ? 'admission' : 'conversion';
  return recordingsOf(area).flatMap((id) => found(readRecording(id), kind, id));
}

function found(value: unknown, kind: string, where: string): Recorded[] {
  if (typeof value !== 'object' || value === null) return [];
  const { kind: said, request } = value as { kind?: unknown; request?: { uid?: unknown } };
  if (said === kind && typeof request === 'object' && typeof request?.uid === 'string')
    return [{ where, review: value as JsonObject }];
  return Object.entries(value).flatMap(([key, member]) => found(member, kind, `${where} ${key}`));
}
