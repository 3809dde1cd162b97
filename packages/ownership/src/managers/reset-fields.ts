// What a write to an endpoint cannot change, and its manager therefore cannot own.
import { EMPTY_SET, type FieldSet } from '../fieldset/field-set.ts';
import { setOfFields } from '../fieldset/paths.ts';

const STATUS = setOfFields(['status']);
const ALL_BUT_STATUS = setOfFields(['metadata'], ['spec']);

/**
 * Of a custom resource. Upstream resets these only in the version of the request, so that a status write
 * takes ownership away in all others (kubernetes/kubernetes#133704); here they hold for every version.
 */
export function resetFieldsOf(hasStatusSubresource: boolean, subresource: string | undefined): FieldSet {
  if (subresource === 'status') return ALL_BUT_STATUS;
  return hasStatusSubresource && subresource === undefined ? STATUS : EMPTY_SET;
}
