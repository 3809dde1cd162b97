// v1 to v1beta1: what all versions share goes to the top, the rest stays with each version.
import { hoist } from '../hoisted.ts';
import type {
  CustomResourceColumnDefinition,
  CustomResourceConversion,
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from '../types.ts';
import type {
  V1beta1Column,
  V1beta1Conversion,
  V1beta1CustomResourceDefinition,
  V1beta1Spec,
  V1beta1Version,
} from './types.ts';

/** Shares parts with `crd`. */
export function toV1beta1(crd: CustomResourceDefinition): V1beta1CustomResourceDefinition {
  const { group, names, scope, version, versions, schema, subresources, conversion, ...rest } = hoist(
    crd.spec,
  );
  const { additionalPrinterColumns, selectableFields, preserveUnknownFields = false } = rest;
  const spec: V1beta1Spec = {
    group,
    names,
    scope,
    ...(version !== '' && { version }),
    versions: versions.map(versionTo),
    ...(schema !== undefined && { validation: schema }),
    ...(subresources !== undefined && { subresources }),
    ...(additionalPrinterColumns !== undefined && {
      additionalPrinterColumns: additionalPrinterColumns.map(columnTo),
    }),
    ...(selectableFields !== undefined && { selectableFields }),
    ...(conversion !== undefined && { conversion: conversionTo(conversion) }),
    preserveUnknownFields,
  };
  return { ...crd, apiVersion: 'apiextensions.k8s.io/v1beta1', spec };
}

function versionTo({
  additionalPrinterColumns,
  ...version
}: CustomResourceDefinitionVersion): V1beta1Version {
  if (additionalPrinterColumns === undefined) return version;
  return { ...version, additionalPrinterColumns: additionalPrinterColumns.map(columnTo) };
}

function columnTo({ jsonPath, ...column }: CustomResourceColumnDefinition): V1beta1Column {
  return { ...column, JSONPath: jsonPath };
}

function conversionTo({ strategy, webhook }: CustomResourceConversion): V1beta1Conversion {
  if (webhook === undefined) return { strategy };
  const { clientConfig, conversionReviewVersions } = webhook;
  return {
    strategy,
    ...(clientConfig !== undefined && { webhookClientConfig: clientConfig }),
    conversionReviewVersions,
  };
}
