// Whether a definition may be created or updated, with upstream's order and messages. Includes metadata.

import { nameIsDnsSubdomain, type ValidateName } from '@instar/go';
import {
  type FieldError,
  FieldPath,
  fieldErrors,
  type JsonValue,
  validateImmutableField,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '@instar/machinery';
import { validateApproval } from '../approval.ts';
import { hoist } from '../hoisted.ts';
import type { CustomResourceDefinition, CustomResourceDefinitionSpec } from '../types.ts';
import { validateNames } from './names.ts';
import { createOptions, type RequestVersion, updateOptions, type ValidationOptions } from './options.ts';
import { validateSpec } from './spec.ts';
import { finish, type Steps } from './steps.ts';
import { validateStoredVersions } from './stored-versions.ts';

const SPEC = FieldPath.of('spec');
const STATUS = FieldPath.of('status');

/** `request` is the version that the definition came in: v1beta1 requires less. */
export function validateCrdCreate(
  crd: CustomResourceDefinition,
  request: RequestVersion = 'v1',
): FieldError[] {
  return finish(validateCrdCreateInSteps(crd, request));
}

/** The same, for the caller to do other work meanwhile. */
export function* validateCrdCreateInSteps(
  crd: CustomResourceDefinition,
  request: RequestVersion = 'v1',
): Steps<FieldError[]> {
  const spec = hoist(crd.spec);
  yield;
  return [
    ...validateObjectMeta(crd.metadata, false, validateCrdName(crd)),
    ...(yield* validateSpec(spec, createOptions(request), SPEC)),
    ...validateRest(crd, undefined, request),
  ];
}

/** What the old definition already has is tolerated, even if it would be refused today. */
export function validateCrdUpdate(
  crd: CustomResourceDefinition,
  old: CustomResourceDefinition,
  request: RequestVersion = 'v1',
): FieldError[] {
  return finish(validateCrdUpdateInSteps(crd, old, request));
}

/** The same, for the caller to do other work meanwhile. */
export function* validateCrdUpdateInSteps(
  crd: CustomResourceDefinition,
  old: CustomResourceDefinition,
  request: RequestVersion = 'v1',
): Steps<FieldError[]> {
  const options = updateOptions(crd, old, request);
  yield;
  const spec = hoist(crd.spec);
  yield;
  return [
    ...validateObjectMetaUpdate(crd.metadata, old.metadata),
    ...(yield* validateSpec(spec, options, SPEC)),
    ...validateImmutable(crd.spec, old.spec, options),
    ...validateRest(crd, old, request),
  ];
}

/** Upstream allows nearly anything in a status: clients may also shorten storedVersions. */
export function validateCrdStatusUpdate(
  crd: CustomResourceDefinition,
  old: CustomResourceDefinition,
): FieldError[] {
  return [
    ...validateObjectMetaUpdate(crd.metadata, old.metadata),
    ...validateNames(crd.status.acceptedNames, STATUS.child('acceptedNames')),
  ];
}

function validateCrdName({ spec }: CustomResourceDefinition): ValidateName {
  return (name, isPrefix) => {
    const faults = nameIsDnsSubdomain(name, isPrefix);
    return name === `${spec.names.plural}.${spec.group}`
      ? faults
      : [...faults, 'must be spec.names.plural+"."+spec.group'];
  };
}

function validateRest(
  crd: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
  request: RequestVersion,
): FieldError[] {
  const { status, spec } = crd;
  return [
    ...validateNames(status.acceptedNames, STATUS.child('acceptedNames')),
    ...validateStoredVersions(
      status.storedVersions ?? [],
      spec.versions ?? [],
      STATUS.child('storedVersions'),
    ),
    ...(request === 'v1' ? validateApproval(crd, old) : []),
    ...(request === 'v1' ? validatePreserveUnknownFields(spec, old?.spec) : []),
  ];
}

function validateImmutable(
  spec: CustomResourceDefinitionSpec,
  old: CustomResourceDefinitionSpec,
  options: ValidationOptions,
): FieldError[] {
  const unchanged = (value: JsonValue, before: JsonValue, path: FieldPath) =>
    validateImmutableField(value, value === before, path);
  const named = options.requireImmutableNames
    ? [
        ...unchanged(spec.scope, old.scope, SPEC.child('scope')),
        ...unchanged(spec.names.kind, old.names.kind, SPEC.child('names', 'kind')),
      ]
    : [];
  return [
    ...named,
    ...unchanged(spec.group, old.group, SPEC.child('group')),
    ...unchanged(spec.names.plural, old.names.plural, SPEC.child('names', 'plural')),
  ];
}

function validatePreserveUnknownFields(
  spec: CustomResourceDefinitionSpec,
  old: CustomResourceDefinitionSpec | undefined,
): FieldError[] {
  if (spec.preserveUnknownFields !== true || old?.preserveUnknownFields === true) return [];
  const detail =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [fieldErrors.invalid(SPEC.child('preserveUnknownFields'), true, detail)];
}
