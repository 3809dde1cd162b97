// ConversionReview of apiextensions.k8s.io, v1 and v1beta1, as it is sent to a conversion webhook and
// returned. The two differ only in apiVersion.
import type { JsonObject } from '../json-value.ts';

/** The versions of ConversionReview. */
export type ConversionReviewApiVersion = 'apiextensions.k8s.io/v1' | 'apiextensions.k8s.io/v1beta1';

/** metav1.Status as webhooks return it; every field is optional. */
export interface ReviewStatus {
  status?: 'Success' | 'Failure';
  message?: string;
  reason?: string;
  code?: number;
  details?: JsonObject;
  metadata?: JsonObject;
}
