// apiextensions.k8s.io/v1 CustomResourceDefinition, as it is stored: the form that every other package reads.
// v1beta1 is converted to it.
import type { KubeObject } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';

/** `spec.names` of a definition, and `status.acceptedNames`. */
export interface CustomResourceDefinitionNames {
  plural: string;
  singular?: string;
  shortNames?: string[];
  kind: string;
  listKind?: string;
  categories?: string[];
}

export interface CustomResourceColumnDefinition {
  name: string;
  type: string;
  format?: string;
  description?: string;
  priority?: number;
  jsonPath: string;
}

interface CustomResourceSubresourceScale {
  specReplicasPath: string;
  statusReplicasPath: string;
  labelSelectorPath?: string;
}

export interface CustomResourceSubresources {
  status?: Record<string, never>;
  scale?: CustomResourceSubresourceScale;
}

export interface SelectableFieldDefinition {
  jsonPath: string;
}

/** An entry of `spec.versions`. */
export interface CustomResourceDefinitionVersion {
  name: string;
  served: boolean;
  storage: boolean;
  deprecated?: boolean;
  deprecationWarning?: string;
  schema?: { openAPIV3Schema?: JSONSchemaProps };
  subresources?: CustomResourceSubresources;
  additionalPrinterColumns?: CustomResourceColumnDefinition[];
  selectableFields?: SelectableFieldDefinition[];
}

interface ServiceReference {
  namespace: string;
  name: string;
  path?: string;
  port?: number;
}

export interface WebhookClientConfig {
  url?: string;
  service?: ServiceReference;
  caBundle?: string;
}

export interface CustomResourceConversion {
  strategy: string;
  webhook?: { clientConfig?: WebhookClientConfig; conversionReviewVersions: string[] };
}

export interface CustomResourceDefinitionSpec {
  group: string;
  names: CustomResourceDefinitionNames;
  scope: string;
  versions: CustomResourceDefinitionVersion[];
  conversion?: CustomResourceConversion;
  preserveUnknownFields?: boolean;
}

export type ConditionType =
  | 'Established'
  | 'NamesAccepted'
  | 'NonStructuralSchema'
  | 'Terminating'
  | 'KubernetesAPIApprovalPolicyConformant'
  /** Set while objects are migrated to the storage version, and False afterwards. */
  | 'StorageMigrating';

export interface CustomResourceDefinitionCondition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
  observedGeneration?: number;
}

export interface CustomResourceDefinitionStatus {
  conditions: CustomResourceDefinitionCondition[] | null;
  acceptedNames: CustomResourceDefinitionNames;
  storedVersions: string[] | null;
  observedGeneration?: number;
}

/** A CustomResourceDefinition of apiextensions.k8s.io/v1. */
export interface CustomResourceDefinition extends KubeObject {
  spec: CustomResourceDefinitionSpec;
  status: CustomResourceDefinitionStatus;
}

/** Whether the condition of this type exists and is `True`. */
export const isConditionTrue = ({ status }: CustomResourceDefinition, type: ConditionType): boolean =>
  status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;

/** A request may leave the versions out; it is refused, but only after defaulting. */
export function storageVersionOf(crd: CustomResourceDefinition): CustomResourceDefinitionVersion | undefined {
  const versions: CustomResourceDefinitionVersion[] | null | undefined = crd.spec.versions;
  return versions?.find(({ storage }) => storage);
}
