// The spec of a definition, in the form that has what all versions share at the top.

import { validateDns1123Subdomain } from '@instar/go';
import { type FieldError, type FieldPath, fieldErrors, type JsonValue } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import type { HoistedSpec } from '../hoisted.ts';
import { someSchema } from '../schema-walk.ts';
import type { CustomResourceDefinitionVersion } from '../types.ts';
import { validateColumns } from './columns.ts';
import { validateConversion } from './conversion.ts';
import { requireNames, validateNames } from './names.ts';
import { hasDefault, type ValidationOptions } from './options.ts';
import { printGoVersions } from './print-go.ts';
import { validateSchema } from './schema.ts';
import { validateSelectableFields } from './selectable-fields.ts';
import type { Steps } from './steps.ts';
import { validateSubresources } from './subresources.ts';
import { validateVersion, validateVersionName } from './version.ts';

export function* validateSpec(
  spec: HoistedSpec,
  given: ValidationOptions,
  path: FieldPath,
): Steps<FieldError[]> {
  const preserves = spec.preserveUnknownFields === true;
  const defaults = given.noDefaultsBecause === undefined && hasSchemaThat(spec, hasDefault);
  const requireStructural =
    given.requireStructural || !preserves || defaults || hasSchemaThat(spec, hasExtension);
  const options = { ...given, requireStructural };
  const errors = [
    ...validateGroup(spec.group ?? '', path.child('group')),
    ...validateScope(spec.scope ?? '', path.child('scope')),
    ...validatePresenceOfSchemas(spec, options, path.child('versions')),
  ];
  if (defaults && preserves) {
    errors.push(
      fieldErrors.invalid(
        path.child('preserveUnknownFields'),
        true,
        'must be false in order to use defaults in the schema',
      ),
    );
  }
  return [
    ...errors,
    ...(yield* validateVersions(spec, options, path)),
    ...requireNames(spec.names, path.child('names')),
    ...validateNames(spec.names, path.child('names')),
    ...(yield* validateShared(spec, options, path)),
    ...validateConversionOf(spec, preserves, options, path.child('conversion')),
  ];
}

function validateGroup(group: string, path: FieldPath): FieldError[] {
  if (group === '') return [fieldErrors.required(path)];
  const faults = validateDns1123Subdomain(group);
  if (faults.length > 0) return [fieldErrors.invalid(path, group, faults.join(','))];
  return group.includes('.')
    ? []
    : [fieldErrors.invalid(path, group, 'should be a domain with at least one dot')];
}

const SCOPES = ['Cluster', 'Namespaced'];

function validateScope(scope: string, path: FieldPath): FieldError[] {
  if (scope === '') return [fieldErrors.required(path)];
  return SCOPES.includes(scope) ? [] : [fieldErrors.notSupported(path, scope, SCOPES)];
}

function validatePresenceOfSchemas(
  spec: HoistedSpec,
  { requireSchema }: ValidationOptions,
  path: FieldPath,
): FieldError[] {
  if (spec.schema?.openAPIV3Schema !== undefined || (!requireSchema && spec.preserveUnknownFields)) return [];
  const detail = requireSchema ? '' : 'because otherwise all fields are pruned';
  return spec.versions.flatMap(({ served, schema }, index) => {
    if (schema?.openAPIV3Schema !== undefined || (!requireSchema && !served)) return [];
    return [fieldErrors.required(path.index(index).child('schema', 'openAPIV3Schema'), detail)];
  });
}

function* validateVersions(
  spec: HoistedSpec,
  options: ValidationOptions,
  path: FieldPath,
): Steps<FieldError[]> {
  const { versions, version } = spec;
  const place = path.child('versions');
  const anyOwnSubresources = versions.some(({ subresources }) => subresources !== undefined);
  const errors: FieldError[] = [];
  for (const [index, one] of versions.entries()) {
    yield;
    const { subresources } = anyOwnSubresources ? one : spec;
    errors.push(
      ...validateVersionName(one.name ?? '', place.index(index).child('name')),
      ...(yield* validateVersion(one, subresources?.status !== undefined, options, place.index(index))),
    );
  }
  if (new Set(versions.map(({ name }) => name)).size < versions.length) {
    errors.push(invalidVersions(place, versions, 'must contain unique version names'));
  }
  if (versions.filter(({ storage }) => storage).length !== 1) {
    errors.push(invalidVersions(place, versions, 'must have exactly one version marked as storage version'));
  }
  return version === '' ? errors : [...errors, ...validateVersionName(version, path.child('version'))];
}

function invalidVersions(
  path: FieldPath,
  versions: readonly CustomResourceDefinitionVersion[],
  detail: string,
): FieldError {
  const error = fieldErrors.invalid(path, versions as unknown as JsonValue, detail);
  return { ...error, valueText: printGoVersions(versions) };
}

function* validateShared(
  spec: HoistedSpec,
  options: ValidationOptions,
  path: FieldPath,
): Steps<FieldError[]> {
  const { schema, subresources, additionalPrinterColumns, selectableFields = [], versions, version } = spec;
  const props = schema?.openAPIV3Schema;
  const statusEnabled = [spec, ...versions].some((one) => one.subresources?.status !== undefined);
  const unchanged = options.unchangedSchemas.has(version);
  const errors = [
    ...(props === undefined
      ? []
      : yield* validateSchema(props, { statusEnabled, unchanged, path: path.child('validation') }, options)),
    ...validateSubresources(subresources, path.child('subresources')),
    ...validateColumns(additionalPrinterColumns, path.child('additionalPrinterColumns')),
  ];
  if (selectableFields.length === 0) return errors;
  const place = path.child('selectableFields');
  if (props === undefined)
    return [...errors, fieldErrors.invalid(place, '', 'may only be set when validations.schema is included')];
  return [
    ...errors,
    ...validateSelectableFields(selectableFields, props, options.tooManyFieldsAllowed.has(''), place),
  ];
}

function validateConversionOf(
  { conversion }: HoistedSpec,
  preserves: boolean,
  options: ValidationOptions,
  path: FieldPath,
): FieldError[] {
  if (conversion === undefined) return [];
  const errors: FieldError[] = [];
  if (preserves && conversion.strategy !== 'None') {
    const detail = 'must be None if spec.preserveUnknownFields is true';
    errors.push(fieldErrors.invalid(path.child('strategy'), conversion.strategy, detail));
  }
  return [...errors, ...validateConversion(conversion, options, path)];
}

function hasSchemaThat(spec: HoistedSpec, predicate: (schema: JSONSchemaProps) => boolean): boolean {
  return [spec, ...spec.versions].some(({ schema }) => {
    const props = schema?.openAPIV3Schema;
    return props !== undefined && someSchema(props, predicate);
  });
}

/** A schema with any of Kubernetes' extensions must be structural, even where v1beta1 does not require it. */
function hasExtension(schema: JSONSchemaProps): boolean {
  return (
    schema['x-kubernetes-embedded-resource'] === true ||
    schema['x-kubernetes-preserve-unknown-fields'] !== undefined ||
    schema['x-kubernetes-int-or-string'] === true ||
    (schema['x-kubernetes-list-map-keys']?.length ?? 0) > 0 ||
    schema['x-kubernetes-list-type'] !== undefined ||
    (schema['x-kubernetes-validations']?.length ?? 0) > 0
  );
}
