// Which representations each type of endpoint offers, and how objects are read for them.

import type { ReadOptions } from '../../objects/forms/read-forms.ts';
import type { Negotiated, NegotiationRules } from '../../wire/negotiate.ts';
import type { RequestScope } from './request-scope.ts';
import { skipsUnconvertible } from './skipped-objects.ts';

export const ONE_OBJECT: NegotiationRules = {
  representations: ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'],
};
export const COLLECTION: NegotiationRules = {
  representations: ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'],
};
export const WATCH: NegotiationRules = { representations: ['Table', 'PartialObjectMetadata'], stream: true };

/** A client that requests metadata only gets it even if objects cannot be converted. */
export function readOptions({ representation }: Negotiated, { request, waited }: RequestScope): ReadOptions {
  const orStored =
    representation === 'PartialObjectMetadata' || representation === 'PartialObjectMetadataList';
  return { orStored, warn: (text) => request.warnings.push(text), waited };
}

/**
 * A delete accepts the object in the stored version if the response is metadata only, or if the client says
 * so.
 */
export function deleteReadOptions(negotiated: Negotiated, scope: RequestScope): ReadOptions {
  return skipsUnconvertible(scope) ? { asStored: true } : readOptions(negotiated, scope);
}
