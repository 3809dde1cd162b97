// What admission is asked about: one operation on one resource, by somebody. The object itself travels beside
// it, because mutation changes it.
import type {
  AdmissionOperation,
  GroupVersionKind,
  GroupVersionResource,
  JsonObject,
  KubeObject,
} from '@instar/machinery';

export interface AdmissionUser {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** A resource as it is served in one version, with the kind of its objects there. */
export interface ResourceMapping {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
}

export interface AdmissionSubject extends ResourceMapping {
  readonly operation: AdmissionOperation;
  readonly subresource: string;
  /** Empty for what is cluster-scoped, except that a namespace is in itself. */
  readonly namespace: string;
  /** Empty where it is still to be generated, and for each object of a deleted collection. */
  readonly name: string;
  readonly user: AdmissionUser;
  readonly dryRun: boolean;
  /** CreateOptions, UpdateOptions or DeleteOptions of meta.k8s.io/v1. */
  readonly options: JsonObject;
  readonly old: KubeObject | undefined;
  /**
   * The other versions of the resource, for matchPolicy Equivalent. The same array for as long as they are
   * the same.
   */
  readonly equivalents: readonly ResourceMapping[];
}

const EXEMPT: ReadonlySet<string> = new Set([
  'validatingwebhookconfigurations',
  'mutatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
]);

/**
 * What configures admission is not subject to it, or nobody could mend a configuration that refuses
 * everything.
 */
export function isExempt(group: string, resource: string): boolean {
  return group === 'admissionregistration.k8s.io' && EXEMPT.has(resource);
}
