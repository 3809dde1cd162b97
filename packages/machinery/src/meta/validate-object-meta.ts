// Validates metadata on create and on update. Expects decoded metadata (see decode-object-meta.ts) whose name
// has been generated.

import { nameIsDnsLabel, type ValidateName } from '@instar/go';
import { type FieldError, fieldErrors } from '../field/error.ts';
import { FieldPath } from '../field/path.ts';
import type { ObjectMeta } from '../object.ts';
import {
  validateAnnotations,
  validateFinalizers,
  validateImmutableField,
  validateLabels,
  validateManagedFields,
  validateNoNewFinalizers,
  validateOwnerReferences,
} from './validate-metadata.ts';

const METADATA = FieldPath.of('metadata');

/** What is invalid in the metadata of an object that is created. */
export function validateObjectMeta(
  meta: ObjectMeta,
  namespaced: boolean,
  validateName: ValidateName,
  path = METADATA,
): FieldError[] {
  return [
    ...validateNames(meta, validateName, path),
    ...validateNamespace(meta.namespace ?? '', namespaced, path.child('namespace')),
    ...validateGeneration(meta, path),
    ...validateLabels(meta.labels, path.child('labels')),
    ...validateAnnotations(meta.annotations, path.child('annotations')),
    ...validateOwnerReferences(meta.ownerReferences, path.child('ownerReferences')),
    ...validateFinalizers(meta.finalizers, path.child('finalizers')),
    ...validateManagedFields(meta.managedFields, path.child('managedFields')),
  ];
}

function validateNames(
  { name = '', generateName = '' }: ObjectMeta,
  validateName: ValidateName,
  path: FieldPath,
): FieldError[] {
  const prefixFaults = generateName === '' ? [] : validateName(generateName, true);
  const errors = prefixFaults.map((fault) =>
    fieldErrors.invalid(path.child('generateName'), generateName, fault),
  );
  if (name === '')
    return [...errors, fieldErrors.required(path.child('name'), 'name or generateName is required')];
  return [
    ...errors,
    ...validateName(name, false).map((fault) => fieldErrors.invalid(path.child('name'), name, fault)),
  ];
}

function validateNamespace(namespace: string, namespaced: boolean, path: FieldPath): FieldError[] {
  if (!namespaced) return namespace === '' ? [] : [fieldErrors.forbidden(path, 'not allowed on this type')];
  if (namespace === '') return [fieldErrors.required(path)];
  return nameIsDnsLabel(namespace, false).map((fault) => fieldErrors.invalid(path, namespace, fault));
}

function validateGeneration({ generation = 0 }: ObjectMeta, path: FieldPath): FieldError[] {
  return generation < 0
    ? [fieldErrors.invalid(path.child('generation'), generation, 'must be greater than or equal to 0')]
    : [];
}

/**
 * What an update must not change. Upstream calls this in addition to validateObjectMeta; finalizers are
 * checked only there.
 */
export function validateObjectMetaUpdate(meta: ObjectMeta, old: ObjectMeta, path = METADATA): FieldError[] {
  const errors: FieldError[] = [];
  if (isSet(old.deletionTimestamp)) {
    errors.push(
      ...validateNoNewFinalizers(meta.finalizers ?? [], old.finalizers ?? [], path.child('finalizers')),
    );
  }
  if (!isSet(meta.resourceVersion)) {
    errors.push(fieldErrors.invalid(path.child('resourceVersion'), '', 'must be specified for an update'));
  }
  errors.push(...validateGeneration(meta, path));
  if ((meta.generation ?? 0) < (old.generation ?? 0)) {
    errors.push(
      fieldErrors.invalid(path.child('generation'), meta.generation ?? 0, 'must not be decremented'),
    );
  }
  return [
    ...errors,
    ...validateImmutableFields(meta, old, path),
    ...validateLabels(meta.labels, path.child('labels')),
    ...validateAnnotations(meta.annotations, path.child('annotations')),
    ...validateOwnerReferences(meta.ownerReferences, path.child('ownerReferences')),
    ...validateManagedFields(meta.managedFields, path.child('managedFields')),
  ];
}

const TEXTS = ['name', 'namespace', 'uid'] as const;
const OPTIONALS = ['creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const;

function validateImmutableFields(meta: ObjectMeta, old: ObjectMeta, path: FieldPath): FieldError[] {
  return [
    ...TEXTS.flatMap((field) => {
      const value = meta[field] ?? '';
      return validateImmutableField(value, value === (old[field] ?? ''), path.child(field));
    }),
    ...OPTIONALS.flatMap((field) => {
      const value = meta[field] ?? null;
      return validateImmutableField(value, value === (old[field] ?? null), path.child(field));
    }),
  ];
}

function isSet(value: string | null | undefined): boolean {
  return value !== undefined && value !== null && value !== '';
}
