// The interface of a webhook: bytes of a review in, bytes of its answer out. No sockets, no clock except the
// deadline.
import type { Log, SpareMemory } from '@instar/serving';

/** The outcome of a review, a label of the metrics. */
export type ReviewOutcome =
  | 'allowed'
  | 'denied'
  | 'patched'
  | 'converted'
  | 'failed'
  | 'timeout'
  | 'malformed';

/** The HTTP answer to a review. */
export interface ReviewAnswer {
  /** The HTTP status. Anything but 200 leaves the decision to the failurePolicy. */
  readonly status: number;
  /** JSON, in pieces if it is long. */
  readonly body: string | readonly (string | Uint8Array)[];
  /** To be called when the body is no longer needed: its memory is then reused. */
  readonly release?: () => void;
  readonly outcome: ReviewOutcome;
  readonly conversions?: readonly ConversionCount[];
  /** For the log; what the caller may see is in the body. */
  readonly error?: unknown;
}

/** For one review, kind and version: how many objects were converted, and how many failed. */
export interface ConversionCount {
  readonly kind: string;
  readonly from: string;
  readonly to: string;
  /** False for kinds that the webhook does not convert, which must not become metric labels. */
  readonly isKnown: boolean;
  objects: number;
  failures: number;
}

/** What is known about the call of a webhook. */
export interface ReviewCall {
  /** The timeout of the caller, if it sent one. */
  readonly timeoutMs?: number | undefined;
  readonly log?: Log | undefined;
  /** For a long answer, which then has a `release`. */
  readonly memory?: SpareMemory | undefined;
}

/** The answer of an admission webhook is never long. */
export interface AdmissionWebhook extends Webhook {
  readonly review: 'AdmissionReview';
  answer(body: Uint8Array, call?: ReviewCall): TextAnswer | Promise<TextAnswer>;
}

/** An answer whose body is one text. */
export interface TextAnswer extends ReviewAnswer {
  readonly body: string;
}

/** Answers reviews; made by `admission` or `conversion`. */
export interface Webhook {
  readonly review: 'AdmissionReview' | 'ConversionReview';
  /**
   * Never throws or rejects: failures are answers too. Once the answer is sent (unless its outcome is
   * `timeout`), the memory of the body is reused.
   */
  answer(body: Uint8Array, call?: ReviewCall): ReviewAnswer | Promise<ReviewAnswer>;
}
