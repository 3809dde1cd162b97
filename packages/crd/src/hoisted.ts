// A definition with what all its versions share at the top, as in v1beta1. kube-apiserver validates this form
// whatever the request was in, so its messages name spec.validation for a schema under spec.versions[0].
import { deepEqual, type JsonValue } from '@instar/machinery';
import type { CustomResourceDefinitionSpec, CustomResourceDefinitionVersion } from './types.ts';

/** What can be at the top or in each version. */
export type Shareable = 'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields';
export const SHAREABLE: readonly Shareable[] = [
  'schema',
  'subresources',
  'additionalPrinterColumns',
  'selectableFields',
];

/** What all versions share is at the top, and not in the versions. */
export interface HoistedSpec
  extends CustomResourceDefinitionSpec,
    Pick<CustomResourceDefinitionVersion, Shareable> {
  /** The name of the first version. */
  readonly version: string;
}

export function hoist(spec: CustomResourceDefinitionSpec): HoistedSpec {
  const given: CustomResourceDefinitionVersion[] | null | undefined = spec.versions;
  const versions = given ?? [];
  const shared = sharedBy(versions);
  const rest = versions.map((version) => without(version, shared));
  return { ...spec, version: versions[0]?.name ?? '', ...pick(versions[0], shared), versions: rest };
}

function sharedBy(versions: readonly CustomResourceDefinitionVersion[]): Shareable[] {
  const [first, ...others] = versions;
  if (first === undefined) return [];
  return SHAREABLE.filter((part) => others.every((other) => areEqual(other[part], first[part])));
}

/** Absent equals an empty list. */
function areEqual(a: object | undefined, b: object | undefined): boolean {
  const isEmpty = (part: object | undefined) =>
    part === undefined || (Array.isArray(part) && part.length === 0);
  return (isEmpty(a) && isEmpty(b)) || deepEqual(a as JsonValue | undefined, b as JsonValue | undefined);
}

function pick(
  version: CustomResourceDefinitionVersion | undefined,
  parts: readonly Shareable[],
): Pick<HoistedSpec, Shareable> {
  const set = parts.filter((part) => version?.[part] !== undefined);
  return Object.fromEntries(set.map((part) => [part, version![part]]));
}

function without(
  version: CustomResourceDefinitionVersion,
  parts: readonly Shareable[],
): CustomResourceDefinitionVersion {
  const rest = { ...version };
  for (const part of parts) delete rest[part];
  return rest;
}
