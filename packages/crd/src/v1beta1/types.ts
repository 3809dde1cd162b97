// apiextensions.k8s.io/v1beta1 CustomResourceDefinition, where it differs from v1: a single version without a
// list, what all versions share at the top, other spellings. Nothing is stored in this form.
import type { KubeObject } from '@instar/machinery';
import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionStatus,
  CustomResourceDefinitionVersion,
  WebhookClientConfig,
} from '../types.ts';

export type V1beta1Column = Omit<CustomResourceColumnDefinition, 'jsonPath'> & { JSONPath: string };

export type V1beta1Version = Omit<CustomResourceDefinitionVersion, 'additionalPrinterColumns'> & {
  additionalPrinterColumns?: V1beta1Column[];
};

export interface V1beta1Conversion {
  strategy: string;
  webhookClientConfig?: WebhookClientConfig;
  conversionReviewVersions?: string[];
}

export interface V1beta1Spec {
  group: string;
  names: CustomResourceDefinitionNames;
  scope: string;
  /** The name of the first version. */
  version?: string;
  versions?: V1beta1Version[];
  /** The schema of all versions, unless each has its own; likewise for the next three. */
  validation?: NonNullable<V1beta1Version['schema']>;
  subresources?: NonNullable<V1beta1Version['subresources']>;
  additionalPrinterColumns?: V1beta1Column[];
  selectableFields?: NonNullable<V1beta1Version['selectableFields']>;
  conversion?: V1beta1Conversion;
  preserveUnknownFields?: boolean;
}

/** A CustomResourceDefinition of apiextensions.k8s.io/v1beta1. */
export interface V1beta1CustomResourceDefinition extends KubeObject {
  spec: V1beta1Spec;
  status: CustomResourceDefinitionStatus;
}
