// A ConversionReview up to its list of objects, which is handed out in groups: parsed one after the other if
// the review is large.
import { isUtf8 } from 'node:buffer';
import type { JsonObject, JsonValue } from '@instar/machinery';
import type { SpareMemory } from '@instar/serving';
import { asBuffer, parseBody, parseExactly } from '../review/parse-body.ts';
import { reviewFault } from '../review/review-fault.ts';
import { BytesList } from './bytes-list.ts';
import { CutError, cutObjects, type FoundObjects, findObjects, isCutBetter } from './cut-objects.ts';

export interface ConversionAsked {
  readonly apiVersion: string;
  readonly uid: string;
  readonly desiredApiVersion: string;
  /** Of the review: the answer will be about as long. */
  readonly length: number;
  /** Throws a CutError if the review has to be read again, as a whole. */
  readonly groups: Iterable<readonly JsonValue[]>;
  /** The same objects, for whoever need not parse them. */
  readonly list?: BytesList;
}

const API_VERSIONS: ReadonlySet<string> = new Set([
  'apiextensions.k8s.io/v1',
  'apiextensions.k8s.io/v1beta1',
]);
const GROUP = 64;

type Read = ConversionAsked | { readonly fault: string };

export interface ReadOptions {
  /** The objects are never read one piece after the other. */
  readonly whole: boolean;
  /** Somebody may be able to convert objects without parsing them. */
  readonly asBytes: boolean;
  /** For the answer. */
  readonly memory?: SpareMemory | undefined;
}

export function readConversionRequest(body: Uint8Array, { whole, asBytes, memory }: ReadOptions): Read {
  const buffer = asBuffer(body);
  const found = whole || !(asBytes || isCutBetter(buffer)) ? undefined : findObjects(buffer);
  if (found === undefined) return readReview(buffer.toString('utf8'), buffer.length, groupsOf);
  const asked = readReview(found.rest, buffer.length, (objects) =>
    objects.length === 0 ? parsedPieces(buffer, found) : undefined,
  );
  // Something else may have been called "objects".
  if ('fault' in asked) return readConversionRequest(body, { whole: true, asBytes, memory });
  return asBytes && isUtf8(buffer) ? { ...asked, list: new BytesList(buffer, found, memory) } : asked;
}

function readReview(
  text: string,
  length: number,
  groupsOf: (objects: readonly JsonValue[]) => ConversionAsked['groups'] | undefined,
): Read {
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
  return {
    apiVersion: review['apiVersion'] as string,
    uid: uid as string,
    desiredApiVersion: desiredAPIVersion,
    length,
    groups,
  };
}

function* groupsOf(objects: readonly JsonValue[]): Generator<readonly JsonValue[]> {
  for (let start = 0; start < objects.length; start += GROUP) yield objects.slice(start, start + GROUP);
}

function* parsedPieces(body: Buffer, found: FoundObjects): Generator<readonly JsonValue[]> {
  for (const piece of cutObjects(body, found)) {
    let group: readonly JsonValue[];
    try {
      group = parseExactly(piece) as JsonValue[];
    } catch (error) {
      throw new CutError('the review was cut in the wrong place', { cause: error });
    }
    yield group;
  }
}
