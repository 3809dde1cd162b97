// Impersonation, as kube-apiserver reads it from the headers of a request.
import type { Impersonation } from '../kubeconfig/cluster-access.ts';

/** Alternating header names and values: a name may occur several times. */
export function impersonationHeaders(as: Impersonation | undefined): string[] {
  if (as === undefined) return [];
  const headers = ['impersonate-user', as.user];
  if (as.uid !== undefined) headers.push('impersonate-uid', as.uid);
  for (const group of as.groups) headers.push('impersonate-group', group);
  for (const [key, values] of Object.entries(as.extra))
    for (const value of values)
      headers.push(`impersonate-extra-${encodeURIComponent(key.toLowerCase())}`, value);
  return headers;
}
