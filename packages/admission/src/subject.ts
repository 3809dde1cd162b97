// What admission decides about: one operation on one resource, by one user. The object is passed separately,
// because mutation changes it.
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

/** A resource in one served version, with the kind of its objects there. */
export interface ResourceMapping {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
}

/** What is admitted: the request, its objects and who sent it. */
export interface AdmissionSubject extends ResourceMapping {
  readonly operation: AdmissionOperation;
  readonly subresource: string;
  /** Empty if cluster-scoped, except that a namespace has itself as namespace. */
  readonly namespace: string;
  /** Empty if still to be generated, and for each object of a deletecollection. */
  readonly name: string;
  readonly user: AdmissionUser;
  readonly dryRun: boolean;
  /** CreateOptions, UpdateOptions or DeleteOptions of meta.k8s.io/v1. */
  readonly options: JsonObject;
  readonly old: KubeObject | undefined;
  /**
   * The other versions of the resource, for matchPolicy Equivalent. The same array for as long as they do not
   * change.
   */
  readonly equivalents: readonly ResourceMapping[];
}

const EXEMPT: ReadonlySet<string> = new Set([
  'validatingwebhookconfigurations',
  'mutatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
]);

/**
 * What configures admission is exempt from it, or a configuration that denies everything could not be
 * repaired.
 */
export function isExempt(group: string, resource: string): boolean {
  return group === 'admissionregistration.k8s.io' && EXEMPT.has(resource);
}
