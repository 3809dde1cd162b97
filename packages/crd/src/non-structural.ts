// The NonStructuralSchema condition: v1 refuses such schemas, but definitions made through v1beta1 may have
// them.
import { aggregateMessage, type FieldError, FieldPath, fieldErrors } from '@instar/machinery';
import { structuralViolations, unsupportedKeyword } from '@instar/schema';
import type { NewCondition } from './conditions.ts';
import type { CustomResourceDefinition } from './types.ts';
import { finish, type Steps } from './validate/steps.ts';

/** Undefined: the definition is structural, and the condition is to be removed. */
export function nonStructuralCondition(crd: CustomResourceDefinition): NewCondition | undefined {
  return finish(nonStructuralConditionInSteps(crd));
}

/** The same, for the caller to do other work meanwhile. */
export function* nonStructuralConditionInSteps({
  spec,
}: CustomResourceDefinition): Steps<NewCondition | undefined> {
  const errors: FieldError[] = [];
  if (spec.preserveUnknownFields)
    errors.push(fieldErrors.invalid(FieldPath.of('spec', 'preserveUnknownFields'), true, 'must be false'));
  for (const [index, { name, schema }] of spec.versions.entries()) {
    const props = schema?.openAPIV3Schema;
    if (props === undefined) continue;
    yield;
    const unreadable = unsupportedKeyword(props);
    if (unreadable !== undefined)
      return unknown(`failed to check validation schema for version ${name}: ${unreadable}`);
    const path = FieldPath.of('spec', 'versions').index(index).child('schema', 'openAPIV3Schema');
    errors.push(...structuralViolations(props, path));
  }
  if (errors.length === 0) return undefined;
  return {
    type: 'NonStructuralSchema',
    status: 'True',
    reason: 'Violations',
    message: aggregateMessage(errors),
  };
}

const unknown = (message: string): NewCondition => ({
  type: 'NonStructuralSchema',
  status: 'Unknown',
  reason: 'StructuralError',
  message,
});
