// The objects of an answer: as bytes where they need not be parsed, as values elsewhere.

import { decodeUtf8 } from '@instar/go';
import type { JsonShape, JsonValue } from '@instar/machinery';
import type { Encoded } from './batches.ts';
import { concatenated } from './concatenated.ts';
import type { WebhookFault } from './failure.ts';
import { isSameMetadata } from './metadata-guard.ts';
import { parseReview } from './parse-review.ts';
import { type Expected, readReview } from './review-response.ts';
import { ExpectedHead, type SkimmedObject, skimReview } from './skim-review.ts';
import type { WebhookAnswer } from './webhook-call.ts';

export type AnsweredObject = { readonly value: JsonValue } | { readonly rest: Uint8Array };

type Read = { readonly objects: readonly AnsweredObject[] } | WebhookFault;

/** The answer to `batch`. Members in `shape` are not parsed; without a shape, everything is. */
export function readAnswer(
  answer: WebhookAnswer,
  expected: Expected,
  batch: readonly Encoded[],
  to: Wanted,
): Read {
  return readUnparsed(answer, expected, batch, to) ?? readParsed(answer, expected);
}

export interface Wanted {
  readonly apiVersion: string;
  readonly shape: JsonShape | undefined;
}

function readParsed(answer: WebhookAnswer, expected: Expected): Read {
  const read = readReview(answer, expected);
  return 'objects' in read ? { objects: read.objects.map((value) => ({ value })) } : read;
}

/** Undefined if it has to be parsed, or has a fault, which is reported for the answer as a whole. */
function readUnparsed(
  { bytes, ...answer }: WebhookAnswer,
  expected: Expected,
  batch: readonly Encoded[],
  { apiVersion, shape }: Wanted,
): { readonly objects: readonly AnsweredObject[] } | undefined {
  if (bytes === undefined || shape === undefined) return undefined;
  const skimmed = skimReview(bytes, batch, new ExpectedHead(apiVersion, batch[0]!.source.kind), shape);
  if (skimmed?.objects.length !== batch.length) return undefined;
  const envelope = readReview({ ...answer, body: decodeUtf8(skimmed.envelope) }, { ...expected, count: 0 });
  if (!('objects' in envelope)) return undefined;
  const objects: AnsweredObject[] = [];
  for (const [position, place] of skimmed.objects.entries()) {
    const object = restOf(bytes, place, batch[position]!) ?? parsed(bytes, place);
    if (object === undefined) return undefined;
    objects.push(object);
  }
  return { objects };
}

/** Undefined unless its metadata is as sent, or equivalent. */
function restOf(
  bytes: Uint8Array,
  { end, metadata }: SkimmedObject,
  { json, source }: Encoded,
): { rest: Uint8Array } | undefined {
  if (metadata === undefined || typeof json === 'string') return undefined;
  if (metadata.isAsSent) return { rest: bytes.subarray(metadata.start, end) };
  const said = parsed(bytes, { start: metadata.start - 1, end: metadata.end });
  if (said === undefined || !isSameMetadata(source, said.value)) return undefined;
  return {
    rest: concatenated(json.rest.subarray(0, json.metadataLength), bytes.subarray(metadata.end, end)),
  };
}

function parsed(bytes: Uint8Array, { start, end }: SkimmedObject): { value: JsonValue } | undefined {
  const read = parseReview(decodeUtf8(bytes.subarray(start, end)));
  return 'value' in read ? read : undefined;
}
