// Why no answer came. What the server did answer is an ApiError instead.

export type ConnectionFault = 'connect' | 'tls' | 'closed' | 'timeout' | 'too-large' | 'malformed';

export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly fault: ConnectionFault;

  constructor(fault: ConnectionFault, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.fault = fault;
  }
}
