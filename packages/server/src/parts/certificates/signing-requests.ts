// What the controllers of requests for certificates read in them.
import type { SigningRequest } from '../../kinds/validate/signing-request.ts';

export const CSR_GROUP = 'certificates.k8s.io';
export const CSR_RESOURCE = 'certificatesigningrequests';

/** Approved, and not denied, whatever else they say. */
export function isApproved({ status }: SigningRequest): boolean {
  const types = (status?.conditions ?? []).map(({ type }) => type);
  return types.includes('Approved') && !types.includes('Denied');
}

export const hasFailed = ({ status }: SigningRequest): boolean =>
  (status?.conditions ?? []).some(({ type, status: value }) => type === 'Failed' && value === 'True');

export const isIssued = ({ status }: SigningRequest): boolean => (status?.certificate ?? '') !== '';
