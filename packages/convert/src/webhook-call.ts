// The one thing that this package cannot do itself: send a request and return the answer. The server injects
// it.
import type { FailureKind } from './failure.ts';

export interface WebhookRequest {
  /** The body, in pieces. */
  readonly pieces: readonly (string | Uint8Array)[];
  readonly timeoutMs: number;
}

/** The HTTP answer of a webhook. */
export interface WebhookAnswer {
  readonly status: number;
  /** As in the header; empty if there was none. */
  readonly contentType: string;
  readonly body: string;
  /** The same as bytes, if these are UTF-8. */
  readonly bytes?: Uint8Array | undefined;
  /** Call it when neither is needed any longer: the memory is reused for other answers. */
  release?(): void;
}

/** Answers, or throws a CallError. */
export type WebhookCall = (request: WebhookRequest) => Promise<WebhookAnswer>;

export interface CallErrorDetails {
  /** The connection broke during the request: another one may work. */
  readonly mayRetry?: boolean;
  /** The request was sent over a connection: its content may be why there is no answer. */
  readonly reached?: boolean;
}

/** A call of a webhook that failed before an answer was complete. */
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
