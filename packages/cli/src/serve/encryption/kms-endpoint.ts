// The endpoint of a key management service: unix:///PATH, or unix:///@NAME for an abstract socket.
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';

export function endpointFaults(endpoint: string, path: FieldPath): FieldError[] {
  if (endpoint === '') return [fieldErrors.invalid(path, '', 'endpoint is a mandatory field for a kms')];
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(endpoint)?.[1] ?? '';
  if (scheme.toLowerCase() === 'unix') return [];
  const detail = `unsupported scheme "${scheme}" for KMS provider, only unix is supported`;
  return [fieldErrors.invalid(path, endpoint, detail)];
}

export const socketOf = (endpoint: string): string =>
  endpoint.replace(/^unix:(?:\/\/)?/i, '').replace(/^\/@/, '@');
