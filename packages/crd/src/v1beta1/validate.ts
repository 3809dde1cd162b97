// What only v1beta1 can get wrong: the same thing at the top and in versions. Everything else is checked
// after the conversion to v1, by validateCrdCreate and validateCrdUpdate with 'v1beta1' as the version of the
// request.
import { deepEqual, type FieldError, FieldPath, fieldErrors, type JsonValue } from '@instar/machinery';
import { printGoVersions } from '../validate/print-go.ts';
import { fromV1beta1 } from './from-v1beta1.ts';
import type { V1beta1CustomResourceDefinition, V1beta1Spec, V1beta1Version } from './types.ts';

/** What may be at the top or in the versions: its name at the top, in a version, and in messages. */
const PARTS = [
  { top: 'validation', own: 'schema', plural: 'schemas' },
  { top: 'subresources', own: 'subresources', plural: 'subresources' },
  { top: 'additionalPrinterColumns', own: 'additionalPrinterColumns', plural: 'additionalPrinterColumns' },
  { top: 'selectableFields', own: 'selectableFields', plural: 'selectableFields' },
] as const;

type Part = (typeof PARTS)[number];

const SPEC = FieldPath.of('spec');

/** Expects defaults to be set, and the definition not to be converted yet. */
export function validateV1beta1(crd: V1beta1CustomResourceDefinition): FieldError[] {
  const { spec } = crd;
  const versions = spec.versions ?? [];
  const errors = [
    ...PARTS.filter(
      (part) => isSet(spec[part.top]) && versions.some((version) => isSet(version[part.own])),
    ).map(bothPlaces),
    ...PARTS.filter((part) => areAllTheSame(versions, part)).map((part) => allTheSame(part, crd)),
  ];
  return [...errors, ...validateFirstVersion(spec)];
}

function bothPlaces({ top, plural }: Part): FieldError {
  return fieldErrors.forbidden(SPEC.child(top), `top-level and per-version ${plural} are mutually exclusive`);
}

/**
 * A single version with its own is refused too: it could be at the top, and only that survives a round trip
 * through v1.
 */
function areAllTheSame(versions: readonly V1beta1Version[], { own }: Part): boolean {
  const first = versions[0]?.[own];
  return (
    isSet(first) &&
    versions.every((version) =>
      deepEqual(version[own] as JsonValue | undefined, first as unknown as JsonValue),
    )
  );
}

function allTheSame({ top, plural }: Part, crd: V1beta1CustomResourceDefinition): FieldError {
  const detail = `per-version ${plural} may not all be set to identical values (top-level ${top} should be used instead)`;
  const { group, names, scope, versions = [] } = crd.spec;
  const error = fieldErrors.invalid(SPEC.child('versions'), versions as unknown as JsonValue, detail);
  return {
    ...error,
    valueText: printGoVersions(
      fromV1beta1({ ...crd, spec: { group, names, scope, versions } }).spec.versions,
    ),
  };
}

function validateFirstVersion({ version = '', versions = [] }: V1beta1Spec): FieldError[] {
  if (version === '' || versions.length === 0 || versions[0]!.name === version) return [];
  return [
    fieldErrors.invalid(SPEC.child('version'), version, 'must match the first version in spec.versions'),
  ];
}

function isSet(part: object | undefined): boolean {
  return part !== undefined && !(Array.isArray(part) && part.length === 0);
}
