// What a write to an endpoint cannot change, so its manager cannot own it.
import { EMPTY_SET, type FieldSet } from '../fieldset/field-set.ts';
import { setOfFields } from '../fieldset/paths.ts';

const STATUS = setOfFields(['status']);
const ALL_BUT_STATUS = setOfFields(['metadata'], ['spec']);

/**
 * For a custom resource. Upstream resets these only in the version of the request, so that a status write
 * removes ownership in all others (kubernetes/kubernetes#133704); here they hold for every version.
 */
export function resetFieldsOf(hasStatusSubresource: boolean, subresource: string | undefined): FieldSet {
  if (subresource === 'status') return ALL_BUT_STATUS;
  return hasStatusSubresource && subresource === undefined ? STATUS : EMPTY_SET;
}
