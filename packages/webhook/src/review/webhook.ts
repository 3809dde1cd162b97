// What every webhook of the kit is: bytes of a review in, bytes of its answer out. No sockets, no clock but
// the deadline it is given.
import type { Log, SpareMemory } from '@instar/serving';

/** What became of a review, as the metrics count it. */
export type ReviewOutcome =
  | 'allowed'
  | 'denied'
  | 'patched'
  | 'converted'
  | 'failed'
  | 'timeout'
  | 'malformed';

export interface ReviewAnswer {
  /** Of HTTP. Anything but 200 leaves the decision to the failurePolicy of whoever asked. */
  readonly status: number;
  /** JSON, in pieces if it is long. */
  readonly body: string | readonly (string | Uint8Array)[];
  /** To be called when nobody looks at the body any more: its memory then serves for other answers. */
  readonly release?: () => void;
  readonly outcome: ReviewOutcome;
  readonly conversions?: readonly ConversionCount[];
  /** For the log; what the caller may know is in the body already. */
  readonly error?: unknown;
}

/** Of one review, kind and version: how many objects came out, and how many could not be converted. */
export interface ConversionCount {
  readonly kind: string;
  readonly from: string;
  readonly to: string;
  /** False for what the webhook does not convert: anybody can make up kinds. */
  readonly isKnown: boolean;
  objects: number;
  failures: number;
}

export interface ReviewCall {
  /** How long the caller waits, if it said so. */
  readonly timeoutMs?: number | undefined;
  readonly log?: Log | undefined;
  /** For a long answer. Whoever takes of it has to `release` the answer. */
  readonly memory?: SpareMemory | undefined;
}

/** The answer of an admission webhook is never long. */
export interface AdmissionWebhook extends Webhook {
  readonly review: 'AdmissionReview';
  answer(body: Uint8Array, call?: ReviewCall): TextAnswer | Promise<TextAnswer>;
}

export interface TextAnswer extends ReviewAnswer {
  readonly body: string;
}

export interface Webhook {
  readonly review: 'AdmissionReview' | 'ConversionReview';
  /**
   * Never throws and never rejects: what goes wrong is an answer, too. Once the answer is out (unless its
   * outcome is `timeout`), the memory of the body serves for others.
   */
  answer(body: Uint8Array, call?: ReviewCall): ReviewAnswer | Promise<ReviewAnswer>;
}
