// What an admission function says of a request. Verdicts are plain data, so that a function need not import
// this package to return one.
import type { JsonObject, JsonPatchOperation, StatusCause } from '@instar/machinery';

interface Remarks {
  /** Shown to the user by kubectl, one line each. */
  readonly warnings?: readonly string[] | undefined;
  /** Written into the audit log of the API server. */
  readonly auditAnnotations?: Readonly<Record<string, string>> | undefined;
}

export interface Allowed extends Remarks {
  readonly allowed: true;
}

export interface Denied extends Remarks {
  readonly allowed: false;
  readonly message: string;
  /** Of HTTP, as the user gets to see it: 403 unless said otherwise. */
  readonly code?: number | undefined;
  readonly reason?: string | undefined;
  /** The fields at fault. */
  readonly causes?: readonly StatusCause[] | undefined;
}

export interface Patched extends Remarks {
  readonly allowed: true;
  /** The operations, or the object as it is to be: the kit then works out the operations. */
  readonly patch: readonly JsonPatchOperation[] | { readonly changed: object };
}

export type Verdict = Allowed | Denied | Patched;

export type DenyOptions = Omit<Denied, 'allowed' | 'message'>;

export const allow = (remarks: Remarks = {}): Allowed => ({ ...remarks, allowed: true });

export function deny(message: string, codeOrOptions: number | DenyOptions = {}): Denied {
  const options = typeof codeOrOptions === 'number' ? { code: codeOrOptions } : codeOrOptions;
  return { ...options, allowed: false, message };
}

/** Operations, or the object as it is to be. */
export function patch(change: readonly JsonPatchOperation[] | object, remarks: Remarks = {}): Patched {
  const isList = (value: unknown): value is readonly JsonPatchOperation[] => Array.isArray(value);
  return { ...remarks, allowed: true, patch: isList(change) ? change : { changed: change as JsonObject } };
}
