// Why there is no answer from the server. An answer that is an error is an ApiError instead.

/** Why a call got no complete answer. */
export type ConnectionFault = 'connect' | 'tls' | 'closed' | 'timeout' | 'too-large' | 'malformed';

/** A call that got no complete answer, with the reason. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly fault: ConnectionFault;

  constructor(fault: ConnectionFault, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.fault = fault;
  }
}
