// When a definition starts to be served: once its names are accepted and the CA bundle of its webhook is
// valid.
import type { NewCondition } from './conditions.ts';
import { type CustomResourceDefinition, isConditionTrue } from './types.ts';
import { caBundleFault } from './validate/ca-bundle.ts';

/**
 * The Established condition to set now; undefined while names are not accepted, and if it is already true.
 */
export function establishedCondition(crd: CustomResourceDefinition): NewCondition | undefined {
  if (!isConditionTrue(crd, 'NamesAccepted') || isConditionTrue(crd, 'Established')) return undefined;
  const caBundle = crd.spec.conversion?.webhook?.clientConfig?.caBundle;
  if (caBundleFault(caBundle) !== undefined) {
    const message = 'The conversion webhook CABundle is invalid';
    return { type: 'Established', status: 'False', reason: 'InvalidCABundle', message };
  }
  return {
    type: 'Established',
    status: 'True',
    reason: 'InitialNamesAccepted',
    message: 'the initial names have been accepted',
  };
}
