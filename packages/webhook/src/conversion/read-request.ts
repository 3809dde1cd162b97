// A ConversionReview up to its list of objects. Large reviews are cut into their objects, which are parsed one at a time, so that no review keeps
// the process from its other work for long.
import type { JsonObject, JsonValue } from '@instar/machinery';
import { parseBody, parseExactly } from '../review/parse-body.ts';
import { reviewFault } from '../review/review-fault.ts';
import { cutObjects } from './cut-objects.ts';

export interface ConversionAsked {
  readonly apiVersion: string;
  readonly uid: string;
  readonly desiredApiVersion: string;
  readonly objects: ObjectSource;
}

export interface ObjectSource {
  readonly length: number;
  /** Throws if it cannot be parsed. */
  at(index: number): JsonValue;
}

const API_VERSIONS: ReadonlySet<string> = new Set(['apiextensions.k8s.io/v1', 'apiextensions.k8s.io/v1beta1']);
/** Parsing this much at once takes a few milliseconds. */
const LARGE = 512 * 1024;

export function readConversionRequest(text: string, large = LARGE): ConversionAsked | { readonly fault: string } {
  const cut = text.length > large ? cutObjects(text) : undefined;
  const parsed = parseBody(cut?.rest ?? text);
  if ('fault' in parsed) return parsed;
  const fault = reviewFault(parsed.review, 'ConversionReview', API_VERSIONS);
  if (fault !== undefined) return { fault };
  const { uid, desiredAPIVersion, objects } = parsed.review['request'] as JsonObject;
  if (typeof desiredAPIVersion !== 'string' || desiredAPIVersion === '')
    return { fault: 'the request of the ConversionReview has no desiredAPIVersion' };
  if (!Array.isArray(objects)) return { fault: 'the request of the ConversionReview has no list of objects' };
  const apiVersion = parsed.review['apiVersion'] as string;
  const source: ObjectSource = cut === undefined ? { length: objects.length, at: (index) => objects[index]! } : new CutSource(cut.objects);
  return { apiVersion, uid: uid as string, desiredApiVersion: desiredAPIVersion, objects: source };
}

class CutSource implements ObjectSource {
  readonly length: number;
  readonly #texts: readonly string[];

  constructor(texts: readonly string[]) {
    this.#texts = texts;
    this.length = texts.length;
  }

  at(index: number): JsonValue {
    const parsed = parseExactly(this.#texts[index]!);
    if ('fault' in parsed) throw new Error(parsed.fault);
    return parsed.value;
  }
}
