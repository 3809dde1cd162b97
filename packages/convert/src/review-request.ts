// A ConversionReview request, assembled from the JSON of its objects.
import type { ConversionReviewApiVersion } from '@instar/machinery';
import type { CutJson } from './source.ts';

export interface ReviewRequest {
  readonly uid: string;
  readonly apiVersion: ConversionReviewApiVersion;
  readonly desiredApiVersion: string;
  /** The JSON of each. */
  readonly objects: readonly (string | CutJson)[];
}

const KNOWN: ReadonlyMap<string, ConversionReviewApiVersion> = new Map([
  ['v1', 'apiextensions.k8s.io/v1'],
  ['v1beta1', 'apiextensions.k8s.io/v1beta1'],
]);

/** The first of a definition's conversionReviewVersions that Instar supports. */
export function reviewVersionOf(
  conversionReviewVersions: readonly string[],
): ConversionReviewApiVersion | undefined {
  for (const version of conversionReviewVersions) {
    const known = KNOWN.get(version);
    if (known !== undefined) return known;
  }
  return undefined;
}

/** The pieces of the JSON text, in order. Upstream sends the empty response too; some webhooks fill it in. */
export function encodeReview({
  uid,
  apiVersion,
  desiredApiVersion,
  objects,
}: ReviewRequest): (string | Uint8Array)[] {
  const request = `"uid":${JSON.stringify(uid)},"desiredAPIVersion":${JSON.stringify(desiredApiVersion)}`;
  const pieces: (string | Uint8Array)[] = [
    `{"kind":"ConversionReview","apiVersion":"${apiVersion}","request":{${request},"objects":[`,
  ];
  objects.forEach((json, index) => {
    if (index > 0) pieces.push(',');
    if (typeof json === 'string') pieces.push(json);
    else pieces.push(json.head, json.rest);
  });
  pieces.push(`]},"response":{"uid":"","convertedObjects":null,"result":{"metadata":{}}}}`);
  return pieces;
}
