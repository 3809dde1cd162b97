// v1beta1 to v1: what is at the top is copied to every version.
import { deepCopy, type JsonValue } from '@instar/machinery';
import type {
  CustomResourceConversion,
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from '../types.ts';
import type {
  V1beta1Conversion,
  V1beta1CustomResourceDefinition,
  V1beta1Spec,
  V1beta1Version,
} from './types.ts';

/** Expects defaults to be set. Shares parts with `crd`, but none between two versions. */
export function fromV1beta1(crd: V1beta1CustomResourceDefinition): CustomResourceDefinition {
  const { group, names, scope, versions = [], conversion, preserveUnknownFields } = crd.spec;
  const spec = {
    group,
    names,
    scope,
    versions: versions.map((version) => versionFrom(version, crd.spec)),
    ...(conversion !== undefined && { conversion: conversionFrom(conversion) }),
    ...(preserveUnknownFields === true && { preserveUnknownFields }),
  };
  return { ...crd, apiVersion: 'apiextensions.k8s.io/v1', spec };
}

function versionFrom(version: V1beta1Version, spec: V1beta1Spec): CustomResourceDefinitionVersion {
  const {
    schema: ownSchema,
    subresources: ownSubresources,
    additionalPrinterColumns: ownColumns,
    selectableFields: ownFields,
    ...rest
  } = version;
  const schema = copyOf(spec.validation) ?? ownSchema;
  const subresources = copyOf(spec.subresources) ?? ownSubresources;
  const columns = copyOf(spec.additionalPrinterColumns) ?? ownColumns;
  const selectableFields = copyOf(spec.selectableFields) ?? ownFields;
  return {
    ...rest,
    ...(schema !== undefined && { schema }),
    ...(subresources !== undefined && { subresources }),
    ...(columns !== undefined && {
      additionalPrinterColumns: columns.map(({ JSONPath, ...column }) => ({ ...column, jsonPath: JSONPath })),
    }),
    ...(selectableFields !== undefined && { selectableFields }),
  };
}

/** Each version gets its own copy, since they are changed separately later. */
function copyOf<T extends object>(part: T | undefined): T | undefined {
  return part === undefined ? undefined : (deepCopy(part as JsonValue) as T);
}

function conversionFrom(conversion: V1beta1Conversion): CustomResourceConversion {
  const { strategy, webhookClientConfig, conversionReviewVersions } = conversion;
  if (webhookClientConfig === undefined && conversionReviewVersions === undefined) return { strategy };
  const clientConfig = webhookClientConfig !== undefined && { clientConfig: webhookClientConfig };
  return { strategy, webhook: { ...clientConfig, conversionReviewVersions: conversionReviewVersions ?? [] } };
}
