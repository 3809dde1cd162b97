// Whether parsed JSON is a review of the kind that a webhook answers.

import { quoteGo } from '@instar/go';
import { isJsonObject, type JsonObject } from '@instar/machinery';

/** What is wrong with the review, or undefined. `apiVersions` are the supported ones. */
export function reviewFault(
  review: JsonObject,
  kind: string,
  apiVersions: ReadonlySet<string>,
): string | undefined {
  const { kind: saidKind, apiVersion, request } = review;
  if (saidKind !== kind) return `expected a review of kind ${kind}, got ${shown(saidKind)}`;
  if (typeof apiVersion !== 'string' || !apiVersions.has(apiVersion)) {
    return `expected ${kind} in one of ${[...apiVersions].join(', ')}, got ${shown(apiVersion)}`;
  }
  if (!isJsonObject(request)) return `the ${kind} has no request`;
  return typeof request['uid'] === 'string' && request['uid'] !== ''
    ? undefined
    : `the request of the ${kind} has no uid`;
}

const shown = (value: unknown): string =>
  typeof value === 'string' ? quoteGo(value) : value === undefined ? 'none' : 'something other than a string';
