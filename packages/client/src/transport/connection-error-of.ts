// Errors of undici and Node as ConnectionErrors.
import { ConnectionError, type ConnectionFault } from '../connection-error.ts';

const FAULTS: ReadonlyMap<string, ConnectionFault> = new Map([
  ['ECONNREFUSED', 'connect'],
  ['ENOTFOUND', 'connect'],
  ['EAI_AGAIN', 'connect'],
  ['EHOSTUNREACH', 'connect'],
  ['ENETUNREACH', 'connect'],
  ['UND_ERR_CONNECT_TIMEOUT', 'connect'],
  ['ETIMEDOUT', 'connect'],
  ['ECONNRESET', 'closed'],
  ['EPIPE', 'closed'],
  ['UND_ERR_SOCKET', 'closed'],
  ['UND_ERR_CLOSED', 'closed'],
  ['UND_ERR_DESTROYED', 'closed'],
  ['UND_ERR_ABORTED', 'closed'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'tls'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
  ['CERT_HAS_EXPIRED', 'tls'],
  ['CERT_NOT_YET_VALID', 'tls'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'tls'],
]);

/** Errors without a code are returned unchanged: they are our own, or not of the network. */
export function connectionErrorOf(error: unknown, server: string): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (typeof code !== 'string') return error;
  const fault =
    FAULTS.get(code) ??
    (code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS') || code.startsWith('CERT_') ? 'tls' : 'closed');
  const why = (error as Error).message || code;
  return new ConnectionError(
    fault,
    `${fault === 'closed' ? 'lost the connection to' : 'cannot connect to'} ${server}: ${why}`,
    error,
  );
}
