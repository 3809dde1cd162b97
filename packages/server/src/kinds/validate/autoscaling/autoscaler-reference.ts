// What an autoscaler refers to: objects in any group, by kind and name.
import { nameIsPathSegment, parseQuantity, quantitySign } from '@instar/go';
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';
import type { ObjectTarget } from './autoscaler-types.ts';

export interface ReferenceRules {
  readonly allowsCoreGroup?: boolean;
  readonly allowsAnyVersion?: boolean;
}

export function validateReference(
  reference: ObjectTarget,
  rules: ReferenceRules,
  path: FieldPath,
): FieldError[] {
  const errors = (['kind', 'name'] as const).flatMap((name) => {
    const value = reference[name];
    if (value === '') return [fieldErrors.required(path.child(name))];
    return nameIsPathSegment(value, false).map((why) => fieldErrors.invalid(path.child(name), value, why));
  });
  const fault = versionFault(reference, rules);
  if (fault === undefined) return errors;
  return [...errors, fieldErrors.invalid(path.child('apiVersion'), reference.apiVersion ?? '', fault)];
}

export function versionFault({ apiVersion = '' }: ObjectTarget, rules: ReferenceRules): string | undefined {
  if (rules.allowsAnyVersion === true) return undefined;
  if (apiVersion.split('/').length > 2) return `unexpected GroupVersion string: ${apiVersion}`;
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  return group !== '' || rules.allowsCoreGroup === true ? undefined : 'apiVersion must specify API group';
}

/** Of a quantity that decoding has accepted. */
export function signOf(text: string): number {
  const quantity = parseQuantity(text);
  return typeof quantity === 'string' ? 0 : quantitySign(quantity);
}
