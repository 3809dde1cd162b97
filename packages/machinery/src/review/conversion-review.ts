// ConversionReview of apiextensions.k8s.io, v1 and v1beta1, as it goes to a conversion webhook and comes
// back. The two differ in name only.
import type { JsonObject } from '../json-value.ts';

export type ConversionReviewApiVersion = 'apiextensions.k8s.io/v1' | 'apiextensions.k8s.io/v1beta1';

export interface ConversionRequest {
  uid: string;
  /** "group/version". */
  desiredAPIVersion: string;
  objects: JsonObject[];
}

/** metav1.Status as webhooks fill it in: only what they care to say. */
export interface ReviewStatus {
  status?: 'Success' | 'Failure';
  message?: string;
  reason?: string;
  code?: number;
  details?: JsonObject;
  metadata?: JsonObject;
}

export interface ConversionResponse {
  uid: string;
  convertedObjects: JsonObject[];
  result: ReviewStatus;
}

export interface ConversionReview {
  kind: 'ConversionReview';
  apiVersion: ConversionReviewApiVersion;
  request?: ConversionRequest;
  response?: ConversionResponse;
}

export function conversionReview(
  apiVersion: ConversionReviewApiVersion,
  request: ConversionRequest,
): ConversionReview {
  return { kind: 'ConversionReview', apiVersion, request };
}

export function convertedReview(
  apiVersion: ConversionReviewApiVersion,
  uid: string,
  convertedObjects: JsonObject[],
): ConversionReview {
  return {
    kind: 'ConversionReview',
    apiVersion,
    response: { uid, convertedObjects, result: { status: 'Success' } },
  };
}

export function failedConversionReview(
  apiVersion: ConversionReviewApiVersion,
  uid: string,
  message: string,
): ConversionReview {
  return {
    kind: 'ConversionReview',
    apiVersion,
    response: { uid, convertedObjects: [], result: { status: 'Failure', message } },
  };
}
