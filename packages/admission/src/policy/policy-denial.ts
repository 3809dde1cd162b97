// The denial of a policy, as clients see it.
import { ApiError, apiErrors, type KubeObject, type StatusReason } from '@instar/machinery';
import type { AdmissionSubject } from '../subject.ts';

export interface Denial {
  readonly policy: string;
  readonly binding: string | undefined;
  readonly message: string;
  readonly reason: string;
}

const CODES: Readonly<Record<string, number>> = {
  Forbidden: 403,
  Unauthorized: 401,
  RequestEntityTooLarge: 413,
  Invalid: 422,
};

export function denied(
  { policy, binding, message, reason }: Denial,
  subject: AdmissionSubject,
  object: KubeObject | undefined,
): ApiError {
  const by = binding === undefined ? `'${policy}'` : `'${policy}' with binding '${binding}'`;
  const text = `ValidatingAdmissionPolicy ${by} denied request: ${message}`;
  const { group, resource } = subject.resource;
  const { status } = apiErrors.forbidden({ group, resource }, displayName(subject, object), text);
  const told = reason === '' ? 'Invalid' : reason;
  return new ApiError({
    ...status,
    reason: told as StatusReason,
    code: CODES[told] ?? 422,
    details: { ...status.details, causes: [{ message: text }] },
  });
}

/** Objects without a name yet are shown by their generateName. */
export function displayName({ name }: AdmissionSubject, object: KubeObject | undefined): string {
  return name || object?.metadata.name || object?.metadata.generateName || 'Unknown';
}
