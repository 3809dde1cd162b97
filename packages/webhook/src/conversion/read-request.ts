// Reads a ConversionReview. Its objects come in groups, which are parsed one after the other if the review is
// large.
import { isUtf8 } from 'node:buffer';
import type { JsonObject, JsonValue } from '@instar/machinery';
import type { SpareMemory } from '@instar/serving';
import {
  asBuffer,
  isLong,
  type ParsedBody,
  parseBody,
  parseBodyInSteps,
  parseExactly,
} from '../review/parse-body.ts';
import { reviewFault } from '../review/review-fault.ts';
import { BytesList } from './bytes-list.ts';
import { CutError, cutObjects, type FoundObjects, findObjects, isCutBetter } from './cut-objects.ts';

export interface ReceivedConversion {
  readonly apiVersion: string;
  readonly uid: string;
  readonly desiredApiVersion: string;
  /** Bytes of the review: the answer will be about as long. */
  readonly length: number;
  /** Throws a CutError if the review has to be read again, as a whole. */
  readonly groups: Iterable<readonly JsonValue[]>;
  /** The same objects, to be converted without parsing. */
  readonly list?: BytesList;
}

const API_VERSIONS: ReadonlySet<string> = new Set([
  'apiextensions.k8s.io/v1',
  'apiextensions.k8s.io/v1beta1',
]);
const OBJECTS_PER_GROUP = 64;

type Read = ReceivedConversion | { readonly fault: string };

export interface ReadOptions {
  /** Parse the whole body, not in pieces. */
  readonly whole: boolean;
  /** Some converter may work without parsing objects. */
  readonly asBytes: boolean;
  /** For the answer. */
  readonly memory?: SpareMemory | undefined;
}

/** `pause` is called now and then while a long review is parsed. */
export async function readConversionRequest(
  body: Uint8Array,
  { whole, asBytes, memory }: ReadOptions,
  pause: () => Promise<unknown>,
): Promise<Read> {
  const buffer = asBuffer(body);
  const found = whole || !(asBytes || isCutBetter(buffer)) ? undefined : findObjects(buffer);
  if (found === undefined) {
    const text = buffer.toString('utf8');
    const parsed = isLong(text) ? await parseBodyInSteps(text, pause) : parseBody(text);
    return readReview(parsed, buffer.length, groupsOf);
  }
  const received = readReview(parseBody(found.rest), buffer.length, (objects) =>
    objects.length === 0 ? parsedPieces(buffer, found) : undefined,
  );
  // Another member may be named "objects".
  if ('fault' in received) return readConversionRequest(body, { whole: true, asBytes, memory }, pause);
  return asBytes && isUtf8(buffer) ? { ...received, list: new BytesList(buffer, found, memory) } : received;
}

function readReview(
  parsed: ParsedBody,
  length: number,
  groupsOf: (objects: readonly JsonValue[]) => ReceivedConversion['groups'] | undefined,
): Read {
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
  for (let start = 0; start < objects.length; start += OBJECTS_PER_GROUP)
    yield objects.slice(start, start + OBJECTS_PER_GROUP);
}

function* parsedPieces(body: Buffer, found: FoundObjects): Generator<readonly JsonValue[]> {
  for (const piece of cutObjects(body, found)) {
    let group: readonly JsonValue[];
    try {
      group = parseExactly(piece) as JsonValue[];
    } catch (error) {
      throw new CutError('the review was cut inside an object', { cause: error });
    }
    yield group;
  }
}
