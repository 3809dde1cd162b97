// The reviews in the recordings of a real API server.
import type { JsonObject } from '@instar/machinery';
import { readRecording, recordingsOf } from '@instar/testing';

export interface RecordedReview {
  readonly where: string;
  readonly review: JsonObject;
}

/** Only complete ones: some recordings have only the names of the fields. */
export function recordedReviews(kind: 'AdmissionReview' | 'ConversionReview'): RecordedReview[] {
  const area = kind === 'AdmissionReview' ? 'admission' : 'conversion';
  return recordingsOf(area).flatMap((id) => found(readRecording(id), kind, id));
}

function found(value: unknown, kind: string, where: string): RecordedReview[] {
  if (typeof value !== 'object' || value === null) return [];
  const { kind: said, request } = value as { kind?: unknown; request?: { uid?: unknown } };
  if (said === kind && typeof request === 'object' && typeof request?.uid === 'string')
    return [{ where, review: value as JsonObject }];
  return Object.entries(value).flatMap(([key, member]) => found(member, kind, `${where} ${key}`));
}
