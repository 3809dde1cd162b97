// The verdict of an admission function. Verdicts are plain data, so that a function need not import this
// package to return one.
import type { JsonObject, JsonPatchOperation, StatusCause } from '@instar/machinery';

interface Remarks {
  /** Shown to the user by kubectl, one line each. */
  readonly warnings?: readonly string[] | undefined;
  /** Written into the audit log of the API server. */
  readonly auditAnnotations?: Readonly<Record<string, string>> | undefined;
}

/** The request is allowed. */
export interface AllowedVerdict extends Remarks {
  readonly allowed: true;
}

/** The request is denied. */
export interface DeniedVerdict extends Remarks {
  readonly allowed: false;
  readonly message: string;
  /** The HTTP status that the user sees; default 403. */
  readonly code?: number | undefined;
  readonly reason?: string | undefined;
  /** The invalid fields. */
  readonly causes?: readonly StatusCause[] | undefined;
}

/** The request is allowed with a changed object. */
export interface PatchedVerdict extends Remarks {
  readonly allowed: true;
  /** The operations, or the desired object, from which the kit computes the operations. */
  readonly patch: readonly JsonPatchOperation[] | { readonly changed: object };
}

/** The decision of an admission function. */
export type AdmissionVerdict = AllowedVerdict | DeniedVerdict | PatchedVerdict;

/** Options of a denial. */
export type DenyOptions = Omit<DeniedVerdict, 'allowed' | 'message'>;

/** Allows the request. */
export const allow = (remarks: Remarks = {}): AllowedVerdict => ({ ...remarks, allowed: true });

/** Denies the request with a message for its user. */
export function deny(message: string, codeOrOptions: number | DenyOptions = {}): DeniedVerdict {
  const options = typeof codeOrOptions === 'number' ? { code: codeOrOptions } : codeOrOptions;
  return { ...options, allowed: false, message };
}

/** Takes operations, or the desired object. */
export function patch(change: readonly JsonPatchOperation[] | object, remarks: Remarks = {}): PatchedVerdict {
  const isList = (value: unknown): value is readonly JsonPatchOperation[] => Array.isArray(value);
  return { ...remarks, allowed: true, patch: isList(change) ? change : { changed: change as JsonObject } };
}
