// Which forms of an answer each kind of endpoint can give.

import type { ReadOptions } from '../../objects/forms/read-forms.ts';
import type { Negotiated, NegotiationRules } from '../../wire/negotiate.ts';
import type { RequestScope } from './request-scope.ts';
import { skipsUnconvertible } from './skipped-objects.ts';

export const ONE_OBJECT: NegotiationRules = {
  shapes: ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'],
};
export const COLLECTION: NegotiationRules = {
  shapes: ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'],
};
export const WATCH: NegotiationRules = { shapes: ['Table', 'PartialObjectMetadata'], stream: true };

/** Whoever asks for metadata only gets it even while objects cannot be converted. */
export function readOptions({ shape }: Negotiated, { request, waited }: RequestScope): ReadOptions {
  const orStored = shape === 'PartialObjectMetadata' || shape === 'PartialObjectMetadataList';
  return { orStored, warn: (text) => request.warnings.push(text), waited };
}

/**
 * Whoever deletes can do without the object in another version than the stored one, if all that comes back is
 * metadata, or says so.
 */
export function deleteReadOptions(negotiated: Negotiated, scope: RequestScope): ReadOptions {
  return skipsUnconvertible(scope) ? { asStored: true } : readOptions(negotiated, scope);
}
