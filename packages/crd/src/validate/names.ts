// The names of a resource, in spec.names and in status.acceptedNames.

import { validateDns1035Label } from '@instar/go';
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';
import type { CustomResourceDefinitionNames } from '../types.ts';

/** Required in the spec, optional in the status of a definition that does not have its names yet. */
export function requireNames(names: CustomResourceDefinitionNames, path: FieldPath): FieldError[] {
  const needed = ['plural', 'singular', 'kind', 'listKind'] as const;
  return needed.filter((field) => !names[field]).map((field) => fieldErrors.required(path.child(field)));
}

export function validateNames(names: CustomResourceDefinitionNames, path: FieldPath): FieldError[] {
  const { plural = '', singular = '', kind = '', listKind = '', shortNames, categories } = names;
  const errors = [
    ...validateLabel(plural, path.child('plural')),
    ...validateLabel(singular, path.child('singular')),
    ...validateKind(kind, path.child('kind')),
    ...validateKind(listKind, path.child('listKind')),
    ...validateEach(shortNames, path.child('shortNames')),
  ];
  if (kind !== '' && kind === listKind) {
    errors.push(
      fieldErrors.invalid(path.child('listKind'), listKind, 'kind and listKind may not be the same'),
    );
  }
  return [...errors, ...validateEach(categories, path.child('categories'))];
}

function validateLabel(name: string, path: FieldPath): FieldError[] {
  const faults = name === '' ? [] : validateDns1035Label(name);
  return faults.length === 0 ? [] : [fieldErrors.invalid(path, name, faults.join(','))];
}

function validateKind(kind: string, path: FieldPath): FieldError[] {
  const faults = kind === '' ? [] : validateDns1035Label(kind.toLowerCase());
  if (faults.length === 0) return [];
  return [
    fieldErrors.invalid(path, kind, `may have mixed case, but should otherwise match: ${faults.join(',')}`),
  ];
}

/** Unlike a single name, one in a list must not be empty. */
function validateEach(names: readonly string[] | undefined, path: FieldPath): FieldError[] {
  return (names ?? []).flatMap((name, index) => {
    const faults = validateDns1035Label(name);
    return faults.length === 0 ? [] : [fieldErrors.invalid(path.index(index), name, faults.join(','))];
  });
}
