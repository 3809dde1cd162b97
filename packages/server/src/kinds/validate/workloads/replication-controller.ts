// Validation of ReplicationControllers, in upstream's order.
import { type FieldError, FieldPath, fieldErrors, labelSelectorFromObject } from '@instar/machinery';
import { validateNonnegative } from '../amounts.ts';
import { validateRunningTemplate, validateTemplateLabels } from './selector.ts';
import { validateCounts } from './workload-status.ts';
import type { ReplicationController } from './workload-types.ts';

const SPEC = FieldPath.of('spec');

export function validateReplicationControllerSpec({ spec }: ReplicationController): FieldError[] {
  const { selector = {}, template } = spec;
  const isEmpty = Object.keys(selector).length === 0;
  return [
    ...validateNonnegative(spec.minReadySeconds, SPEC.child('minReadySeconds')),
    ...(isEmpty ? [fieldErrors.required(SPEC.child('selector'))] : []),
    ...validateNonnegative(spec.replicas, SPEC.child('replicas')),
    ...validateTemplate(isEmpty ? undefined : selector, template),
  ];
}

function validateTemplate(
  selector: Record<string, string> | undefined,
  template: ReplicationController['spec']['template'],
): FieldError[] {
  const at = SPEC.child('template');
  if (template === undefined) return [fieldErrors.required(at)];
  const labels = template.metadata?.labels ?? {};
  // The labels of this selector are not validated: they are compared as they are.
  const isSelected = Object.entries(selector ?? {}).every(
    ([key, value]) => Object.hasOwn(labels, key) && labels[key] === value,
  );
  return [
    ...(isSelected ? [] : validateTemplateLabels(labelSelectorFromObject(undefined), template, at)),
    ...validateRunningTemplate(template, 'ReplicationController', at),
  ];
}

export const validateReplicationControllerStatus = ({ status }: ReplicationController): FieldError[] =>
  validateCounts(status, {
    counts: ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'observedGeneration'],
    parts: ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
    ready: 'readyReplicas',
  });
