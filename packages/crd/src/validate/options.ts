// How strict the validation of a definition is: v1beta1 is laxer than v1, and an update tolerates what the
// stored definition already has.
import { deepEqual, FieldPath, type JsonValue } from '@instar/machinery';
import {
  checkDefaults,
  type JSONSchemaProps,
  listTypeViolations,
  structuralViolations,
  unsupportedKeyword,
} from '@instar/schema';
import { type HoistedSpec, hoist } from '../hoisted.ts';
import { someSchema, someSchemaOf } from '../schema-walk.ts';
import {
  type CustomResourceDefinition,
  type CustomResourceDefinitionSpec,
  type CustomResourceDefinitionVersion,
  isConditionTrue,
} from '../types.ts';
import { caBundleFault } from './ca-bundle.ts';
import { hasRecognizedReviewVersion } from './review-versions.ts';

/** The version of apiextensions.k8s.io that a request is in. */
export type RequestVersion = 'v1' | 'v1beta1';

export const MAX_SELECTABLE_FIELDS = 8;

export interface ValidationOptions {
  readonly request: RequestVersion;
  /** Why defaults must not be set, if so. */
  readonly noDefaultsBecause: string | undefined;
  readonly requireRecognizedReviewVersion: boolean;
  readonly requireImmutableNames: boolean;
  readonly requireSchema: boolean;
  readonly requireValidTypes: boolean;
  readonly requireStructural: boolean;
  readonly requirePrunedDefaults: boolean;
  readonly requireAtomicSetItems: boolean;
  readonly requireCertainKeys: boolean;
  readonly allowInvalidCaBundle: boolean;
  /** Versions whose schema did not change: their rules are not refused for their cost. */
  readonly unchangedSchemas: ReadonlySet<string>;
  /**
   * Versions whose selectable fields did not change, and were too many; "" for fields that all versions
   * share.
   */
  readonly tooManyFieldsAllowed: ReadonlySet<string>;
}

const NO_DEFAULTS =
  '(cannot set default values in apiextensions.k8s.io/v1beta1 CRDs, must use apiextensions.k8s.io/v1)';

export function createOptions(request: RequestVersion): ValidationOptions {
  const strict = request === 'v1';
  return {
    request,
    noDefaultsBecause: strict ? undefined : NO_DEFAULTS,
    requireRecognizedReviewVersion: true,
    requireImmutableNames: false,
    requireSchema: strict,
    requireValidTypes: strict,
    requireStructural: strict,
    requirePrunedDefaults: true,
    requireAtomicSetItems: true,
    requireCertainKeys: true,
    allowInvalidCaBundle: true,
    unchangedSchemas: new Set(),
    tooManyFieldsAllowed: new Set(),
  };
}

export function updateOptions(
  crd: CustomResourceDefinition,
  old: CustomResourceDefinition,
  request: RequestVersion,
): ValidationOptions {
  const strict = request === 'v1';
  const { spec } = old;
  const established = isConditionTrue(old, 'Established');
  return {
    request,
    noDefaultsBecause: strict || someSchemaOf(spec, hasDefault) ? undefined : NO_DEFAULTS,
    requireRecognizedReviewVersion: hasRecognizedReviewVersion(
      spec.conversion?.webhook?.conversionReviewVersions,
    ),
    requireImmutableNames: established,
    requireSchema: strict && spec.versions.every(({ schema }) => schema?.openAPIV3Schema !== undefined),
    requireValidTypes: strict && !someSchemaOf(spec, hasInvalidType),
    requireStructural: strict && !schemasOf(spec).some(isNotStructural),
    requirePrunedDefaults: !schemasOf(spec).some(hasUnprunedDefaults),
    requireAtomicSetItems: !someSchemaOf(spec, hasNonAtomicSetItems),
    requireCertainKeys: !someSchemaOf(spec, hasUncertainKeys),
    allowInvalidCaBundle:
      !established || caBundleFault(spec.conversion?.webhook?.clientConfig?.caBundle) !== undefined,
    unchangedSchemas: unchangedSchemas(crd.spec, spec),
    tooManyFieldsAllowed: tooManyFieldsAllowed(hoist(crd.spec), hoist(spec)),
  };
}

function unchangedSchemas(
  spec: CustomResourceDefinitionSpec,
  old: CustomResourceDefinitionSpec,
): ReadonlySet<string> {
  const before = new Map(old.versions.map(({ name, schema }) => [name, schema]));
  const versions: CustomResourceDefinitionVersion[] | null = spec.versions;
  const unchanged = (versions ?? []).filter(
    ({ name, schema }) => before.has(name) && same(schema, before.get(name)),
  );
  return new Set(unchanged.map(({ name }) => name));
}

function tooManyFieldsAllowed(spec: HoistedSpec, old: HoistedSpec): ReadonlySet<string> {
  const before = new Map(
    [{ ...old, name: '' }, ...old.versions].map(({ name, selectableFields }) => [name, selectableFields]),
  );
  const allowed = [{ ...spec, name: '' }, ...spec.versions].filter(({ name, selectableFields }) => {
    const fields = before.get(name) ?? [];
    return fields.length > MAX_SELECTABLE_FIELDS && same(selectableFields, fields);
  });
  return new Set(allowed.map(({ name }) => name));
}

const same = (a: unknown, b: unknown): boolean =>
  deepEqual(a as JsonValue | undefined, b as JsonValue | undefined);

function schemasOf(spec: CustomResourceDefinitionSpec): JSONSchemaProps[] {
  return spec.versions.flatMap(({ schema }) => schema?.openAPIV3Schema ?? []);
}

export const TYPES: readonly string[] = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

export const hasDefault = (schema: JSONSchemaProps): boolean => schema.default !== undefined;
const hasInvalidType = ({ type }: JSONSchemaProps): boolean =>
  type !== undefined && type !== '' && !TYPES.includes(type);

function isNotStructural(schema: JSONSchemaProps): boolean {
  return unsupportedKeyword(schema) !== undefined || structuralViolations(schema, FieldPath.root).length > 0;
}

function hasUnprunedDefaults(schema: JSONSchemaProps): boolean {
  if (!someSchema(schema, hasDefault) || isNotStructural(schema)) return false;
  const lax = checkDefaults(schema, FieldPath.root, { requirePruned: false });
  return checkDefaults(schema, FieldPath.root, { requirePruned: true }).length > lax.length;
}

function hasNonAtomicSetItems(schema: JSONSchemaProps): boolean {
  const { items } = schema;
  if (schema['x-kubernetes-list-type'] !== 'set' || items === undefined || Array.isArray(items)) return false;
  const listType = items['x-kubernetes-list-type'];
  if (items.type === 'array') return listType !== undefined && listType !== 'atomic';
  return items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic';
}

function hasUncertainKeys(schema: JSONSchemaProps): boolean {
  const listType = schema['x-kubernetes-list-type'];
  if (listType !== 'set' && listType !== 'map') return false;
  const count = (requireCertainKeys: boolean) =>
    listTypeViolations(schema, FieldPath.root, { requireAtomicSetItems: false, requireCertainKeys }).length;
  return count(true) > count(false);
}
