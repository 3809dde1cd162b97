// The type of admission functions, and the request they get.
import type { AdmissionRequest, JsonObject } from '@instar/machinery';
import type { Log } from '@instar/serving';
import type { AdmissionVerdict } from './verdict.ts';

/** `T` is the type of the objects, if the function knows it. */
export interface TypedAdmissionRequest<T = JsonObject>
  extends Omit<AdmissionRequest, 'object' | 'oldObject'> {
  /** Null for DELETE. */
  object: T | null;
  /** Null for CREATE. */
  oldObject: T | null;
}

/** What a function can use besides its request. */
export interface CallContext {
  /** Aborted when the caller has stopped waiting for the answer. */
  readonly signal: AbortSignal;
  readonly log: Log;
}

/**
 * If it throws, the answer is HTTP 500, so that the failurePolicy decides; an ApiError is a denial with its
 * Status.
 */
export type AdmissionFunction<T = JsonObject> = (
  request: TypedAdmissionRequest<T>,
  context: CallContext,
) => AdmissionVerdict | Promise<AdmissionVerdict>;
