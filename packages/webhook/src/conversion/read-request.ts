// A ConversionReview up to its list of objects, which is handed out in groups: parsed one after the other if the review is large.
import type { JsonObject, JsonValue } from '@instar/machinery';
import { asBuffer, parseBody, parseExactly } from '../review/parse-body.ts';
import { reviewFault } from '../review/review-fault.ts';
import { cutObjects } from './cut-objects.ts';

export interface ConversionAsked {
  readonly apiVersion: string;
  readonly uid: string;
  readonly desiredApiVersion: string;
  readonly groups: Iterable<readonly JsonValue[]>;
}

/** `groups` throws it: the review has to be read again, as a whole. */
export class CutError extends Error {
  override readonly name = 'CutError';
}

const API_VERSIONS: ReadonlySet<string> = new Set(['apiextensions.k8s.io/v1', 'apiextensions.k8s.io/v1beta1']);
const GROUP = 64;

export function readConversionRequest(
  body: Uint8Array,
  options: { readonly whole: boolean },
): ConversionAsked | { readonly fault: string } {
  const buffer = asBuffer(body);
  const cut = options.whole ? undefined : cutObjects(buffer);
  const parsed = parseBody(cut?.rest ?? buffer.toString('utf8'));
  if ('fault' in parsed) return cut === undefined ? parsed : readConversionRequest(body, { whole: true });
  const fault = reviewFault(parsed.review, 'ConversionReview', API_VERSIONS);
  if (fault !== undefined) return { fault };
  const { uid, desiredAPIVersion, objects } = parsed.review['request'] as JsonObject;
  if (typeof desiredAPIVersion !== 'string' || desiredAPIVersion === '') {
    return { fault: 'the request of the ConversionReview has no desiredAPIVersion' };
  }
  if (!Array.isArray(objects)) return { fault: 'the request of the ConversionReview has no list of objects' };
  // Something else was called "objects".
  if (cut !== undefined && objects.length > 0) return readConversionRequest(body, { whole: true });
  const apiVersion = parsed.review['apiVersion'] as string;
  return {
    apiVersion,
    uid: uid as string,
    desiredApiVersion: desiredAPIVersion,
    groups: cut === undefined ? groupsOf(objects) : parsedPieces(cut.pieces),
  };
}

function* groupsOf(objects: readonly JsonValue[]): Generator<readonly JsonValue[]> {
  for (let start = 0; start < objects.length; start += GROUP) yield objects.slice(start, start + GROUP);
}

function* parsedPieces(pieces: readonly string[]): Generator<readonly JsonValue[]> {
  for (const piece of pieces) {
    let group: readonly JsonValue[];
    try {
      group = parseExactly(`[${piece}]`) as JsonValue[];
    } catch (error) {
      throw new CutError('the review was cut in the wrong place', { cause: error });
    }
    yield group;
  }
}
