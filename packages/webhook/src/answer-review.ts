// For tests of webhooks: one review, as an object, answered without a socket.
import { encodeJson, type JsonObject, parseJson } from '@instar/machinery';
import { bytesOf } from './http/answer.ts';
import type { ReviewCall, ReviewOutcome, Webhook } from './review/webhook.ts';

/** The answer of a webhook to a review. */
export interface AnsweredReview {
  /** The HTTP status. */
  readonly status: number;
  /** The review with its response; a Status if `status` is not 200. */
  readonly body: JsonObject;
  readonly outcome: ReviewOutcome;
}

/** Answers one review without a server, for tests. */
export async function answerReview(
  webhook: Webhook,
  review: object,
  call: ReviewCall = {},
): Promise<AnsweredReview> {
  const { status, body, outcome } = await webhook.answer(Buffer.from(encodeJson(review)), call);
  return { status, body: parseJson(bytesOf(body)).value as JsonObject, outcome };
}
