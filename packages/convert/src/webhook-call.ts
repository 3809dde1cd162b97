// The one thing that this room cannot do itself: sending a request and bringing back the answer. The server hands it in.
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

export class CallError extends Error {
  override readonly name = 'CallError';
  readonly kind: Extract<FailureKind, 'call' | 'timeout'>;
  /** A connection that broke under the request: another one may do. */
  readonly mayRetry: boolean;

  constructor(message: string, kind: 'call' | 'timeout', mayRetry = false) {
    super(message);
    this.kind = kind;
    this.mayRetry = mayRetry;
  }
}
