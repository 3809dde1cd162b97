// The request of an AdmissionReview as functions get it, and the functions themselves.
import type { AdmissionRequest, JsonObject } from '@instar/machinery';
import type { Log } from '@instar/serving';
import type { Verdict } from './verdict.ts';

/** `T` is the type of the objects, if the function knows it. */
export interface Request<T = JsonObject> extends Omit<AdmissionRequest, 'object' | 'oldObject'> {
  /** Null when something is deleted. */
  object: T | null;
  /** Null when something is created. */
  oldObject: T | null;
}

export interface CallContext {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  readonly log: Log;
}

/**
 * What it throws is answered with HTTP 500, so that the failurePolicy decides; an ApiError is a denial with
 * that Status.
 */
export type AdmissionFunction<T = JsonObject> = (
  request: Request<T>,
  context: CallContext,
) => Verdict | Promise<Verdict>;
