// The one thing that this room cannot do itself: sending a request and bringing back the answer. The server
// hands it in.
import type { FailureKind } from './failure.ts';

export interface WebhookRequest {
  /** The body, in pieces. */
  readonly pieces: readonly (string | Uint8Array)[];
  readonly timeoutMs: number;
}

export interface WebhookAnswer {
  readonly status: number;
  /** As in the header; empty if there was none. */
  readonly contentType: string;
  readonly body: string;
  /** The same as bytes, if these are UTF-8. */
  readonly bytes?: Uint8Array | undefined;
  /** To be called by who looks at neither any more: their memory then serves for other answers. */
  release?(): void;
}

/** Answers, or throws a CallError. */
export type WebhookCall = (request: WebhookRequest) => Promise<WebhookAnswer>;

export interface CallErrorDetails {
  /** A connection that broke under the request: another one may do. */
  readonly mayRetry?: boolean;
  /**
   * There was a connection, and the request went over it: what is in it may be the reason why there is no
   * answer.
   */
  readonly reached?: boolean;
}

export class CallError extends Error {
  override readonly name = 'CallError';
  readonly kind: Extract<FailureKind, 'call' | 'timeout'>;
  readonly mayRetry: boolean;
  readonly reached: boolean;

  constructor(
    message: string,
    kind: 'call' | 'timeout',
    { mayRetry = false, reached = false }: CallErrorDetails = {},
  ) {
    super(message);
    this.kind = kind;
    this.mayRetry = mayRetry;
    this.reached = reached;
  }
}
