// ConversionReview of apiextensions.k8s.io, v1 and v1beta1, as it goes to a conversion webhook and comes
// back. The two differ in name only.
import type { JsonObject } from '../json-value.ts';

export type ConversionReviewApiVersion = 'apiextensions.k8s.io/v1' | 'apiextensions.k8s.io/v1beta1';

/** metav1.Status as webhooks fill it in: only what they care to say. */
export interface ReviewStatus {
  status?: 'Success' | 'Failure';
  message?: string;
  reason?: string;
  code?: number;
  details?: JsonObject;
  metadata?: JsonObject;
}
