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

type Read = ConversionAsked | { readonly fault: string };

/** With `whole` the objects are never parsed one piece after the other. */
export function readConversionRequest(body: Uint8Array, { whole }: { readonly whole: boolean }): Read {
  const buffer = asBuffer(body);
  const cut = whole ? undefined : cutObjects(buffer);
  if (cut === undefined) return readReview(buffer.toString('utf8'), groupsOf);
  const asked = readReview(cut.rest, (objects) => (objects.length === 0 ? parsedPieces(cut.pieces) : undefined));
  // Something else may have been called "objects".
  return 'fault' in asked ? readConversionRequest(body, { whole: true }) : asked;
}

function readReview(text: string, groupsOf: (objects: readonly JsonValue[]) => ConversionAsked['groups'] | undefined): Read {
  const parsed = parseBody(text);
  if ('fault' in parsed) return parsed;
  const { review } = parsed;
  const fault = reviewFault(review, 'ConversionReview', API_VERSIONS);
  if (fault !== undefined) return { fault };
  const { uid, desiredAPIVersion, objects } = review['request'] as JsonObject;
  if (typeof desiredAPIVersion !== 'string' || desiredAPIVersion === '') {
    return { fault: 'the request of the ConversionReview has no desiredAPIVersion' };
  }
  const groups = Array.isArray(objects) ? groupsOf(objects) : undefined;
  if (groups === undefined) return { fault: 'the request of the ConversionReview has no list of objects' };
  return { apiVersion: review['apiVersion'] as string, uid: uid as string, desiredApiVersion: desiredAPIVersion, groups };
}

function* groupsOf(objects: readonly JsonValue[]): Generator<readonly JsonValue[]> {
  for (let start = 0; start < objects.length; start += GROUP) yield objects.slice(start, start + GROUP);
}

function* parsedPieces(pieces: readonly string[]): Generator<readonly JsonValue[]> {
  for (const piece of pieces) {
    let group: readonly JsonValue[];
    try {
      group = parseExactly(piece) as JsonValue[];
    } catch (error) {
      throw new CutError('the review was cut in the wrong place', { cause: error });
    }
    yield group;
  }
}
