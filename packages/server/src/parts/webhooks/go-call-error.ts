// Why a call failed, with the texts of Go's HTTP client, which operators search for.
import { CallError } from '@instar/convert';
import { UnfinishedAnswer } from './http1/connection.ts';

interface NodeError {
  readonly code?: string;
  readonly message: string;
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
  readonly errors?: readonly NodeError[];
  readonly cause?: NodeError;
}

const UNKNOWN_AUTHORITY: ReadonlySet<string> = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_SIGNATURE_FAILURE',
]);

/** The webhook closed the connection during the request: it may have been idle for too long. */
const BROKEN: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'EOF']);

/** `reached`: the request was sent over a connection. */
export function callError(url: string, error: unknown, reached = false): CallError {
  const found = innermost(error as NodeError);
  const mayRetry = BROKEN.has(found.code ?? '') && !(error instanceof UnfinishedAnswer);
  return new CallError(`Post "${url}": ${reasonOf(found)}`, isTimeout(found) ? 'timeout' : 'call', {
    mayRetry,
    reached,
  });
}

/** A host with several addresses fails with one error for each. */
function innermost(error: NodeError): NodeError {
  const inner = error.errors?.at(-1) ?? (error.code === undefined ? error.cause : undefined);
  return inner === undefined ? error : innermost(inner);
}

const isTimeout = ({ code }: NodeError): boolean => code === 'ETIMEDOUT';

function reasonOf(error: NodeError): string {
  const { code = '', message, address, port, hostname } = error;
  const dial = `dial tcp ${address?.includes(':') ? `[${address}]` : (address ?? '')}:${port ?? ''}`;
  if (UNKNOWN_AUTHORITY.has(code))
    return 'tls: failed to verify certificate: x509: certificate signed by unknown authority';
  switch (code) {
    case 'ECONNREFUSED':
      return `${dial}: connect: connection refused`;
    case 'EHOSTUNREACH':
      return `${dial}: connect: no route to host`;
    case 'ENETUNREACH':
      return `${dial}: connect: network is unreachable`;
    case 'ETIMEDOUT':
      return `${dial}: i/o timeout`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `dial tcp: lookup ${hostname ?? ''}: no such host`;
    case 'ECONNRESET':
      return 'read: connection reset by peer';
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return `tls: failed to verify certificate: x509: certificate has expired or is not yet valid: ${message}`;
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `tls: failed to verify certificate: x509: ${message}`;
    default:
      return message;
  }
}
