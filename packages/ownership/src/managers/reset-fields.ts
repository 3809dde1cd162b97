// What a write to an endpoint cannot change, so its manager cannot own it.
import { EMPTY_SET, type FieldSet } from '../fieldset/field-set.ts';
import { setOfFields } from '../fieldset/paths.ts';

const STATUS = setOfFields(['status']);
const SPEC = setOfFields(['spec']);
const METADATA_AND_SPEC = setOfFields(['metadata'], ['spec']);

export interface WrittenEndpoint {
  readonly hasStatusSubresource: boolean;
  readonly subresource: string | undefined;
  /** Whether status writes reset metadata, as those of custom resources do. */
  readonly statusResetsMetadata: boolean;
}

/**
 * Upstream resets the fields of a custom resource only in the version of the request, so that a status write
 * removes ownership in all others (kubernetes/kubernetes#133704); here they hold for every version.
 */
export function resetFieldsOf(endpoint: WrittenEndpoint): FieldSet {
  const { hasStatusSubresource, subresource, statusResetsMetadata } = endpoint;
  if (subresource === 'status') return statusResetsMetadata ? METADATA_AND_SPEC : SPEC;
  const writesSpec = subresource === undefined || subresource === 'finalize';
  return hasStatusSubresource && writesSpec ? STATUS : EMPTY_SET;
}
