// AdmissionReview of admission.k8s.io, v1 and v1beta1, as it is sent to an admission webhook and returned.
import type { GroupVersionKind } from '../gvk.ts';
import type { JsonObject } from '../json-value.ts';
import type { ReviewStatus } from './conversion-review.ts';

type AdmissionReviewApiVersion = 'admission.k8s.io/v1' | 'admission.k8s.io/v1beta1';

/** What a request does with an object, as admission names it. */
export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** A resource with its group and version. */
export interface GroupVersionResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** The user of an admission request. */
export interface AdmissionUserInfo {
  username?: string;
  uid?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
}

/** `request` of an AdmissionReview. */
export interface AdmissionRequest {
  uid: string;
  /** The kind and resource that the webhook asked for … */
  kind: GroupVersionKind;
  resource: GroupVersionResource;
  subResource?: string;
  /** … and those of the request itself, which differ if matchPolicy is Equivalent. */
  requestKind?: GroupVersionKind;
  requestResource?: GroupVersionResource;
  requestSubResource?: string;
  name?: string;
  namespace?: string;
  operation: AdmissionOperation;
  userInfo: AdmissionUserInfo;
  object: JsonObject | null;
  oldObject: JsonObject | null;
  dryRun: boolean;
  options: JsonObject | null;
}

interface AdmissionResponse {
  uid: string;
  allowed: boolean;
  status?: ReviewStatus;
  /** A JSON Patch in base64. */
  patch?: string;
  patchType?: 'JSONPatch';
  auditAnnotations?: Record<string, string>;
  warnings?: string[];
}

/** An AdmissionReview, as it is sent or answered. */
export interface AdmissionReview {
  kind: 'AdmissionReview';
  apiVersion: AdmissionReviewApiVersion;
  request?: AdmissionRequest;
  response?: AdmissionResponse;
}
