// Handles the requests for one webhook: checks method, client certificate, content type and limits, reads the
// body, calls the webhook, sends its answer.
import { type ApiError, apiErrors } from '@instar/machinery';
import type { Exchange, Log, SpareMemory } from '@instar/serving';
import type { HostMetrics, PathMetrics, Refusal } from '../metrics.ts';
import type { HostLimits } from '../options.ts';
import { isPromise } from '../review/deadline.ts';
import { functionFailed } from '../review/status-answer.ts';
import type { ReviewAnswer, Webhook } from '../review/webhook.ts';
import { sendAnswer } from './answer.ts';
import type { InFlight, InFlightReview } from './in-flight.ts';
import { readReview, tooMany } from './read-body.ts';
import { timeoutOf } from './request-timeout.ts';

export interface ReviewHandlerOptions {
  readonly limits: HostLimits;
  readonly needsClientCertificate: boolean;
  readonly inFlight: InFlight;
  readonly memory: SpareMemory;
  readonly metrics: HostMetrics;
  readonly log: Log;
}

/** A body, with what to call when it is no longer needed. */
interface ReceivedBody {
  readonly body: Uint8Array;
  readonly release: () => void;
}

export type ReviewHandler = (exchange: Exchange, query: string) => void;

export function reviewHandler(path: string, webhook: Webhook, options: ReviewHandlerOptions): ReviewHandler {
  const handler = new Handler(path, webhook, options);
  return (exchange, query) => handler.handle(exchange, query);
}

class Handler {
  readonly #webhook: Webhook;
  readonly #options: ReviewHandlerOptions;
  readonly #limit: number;
  readonly #metrics: PathMetrics;
  #lastQuery = '';
  #lastTimeout: number;

  constructor(path: string, webhook: Webhook, options: ReviewHandlerOptions) {
    const { maxAdmissionBytes, maxConversionBytes } = options.limits;
    this.#webhook = webhook;
    this.#options = options;
    this.#limit = webhook.review === 'AdmissionReview' ? maxAdmissionBytes : maxConversionBytes;
    this.#metrics = options.metrics.ofPath(path);
    this.#lastTimeout = options.limits.defaultTimeoutMs;
  }

  handle(exchange: Exchange, query: string): void {
    const refusal = this.#refusal(exchange);
    const review = refusal === undefined ? this.#options.inFlight.enter() : undefined;
    if (review === undefined) this.#refuse(exchange, refusal ?? tooMany(), performance.now());
    else this.#read(exchange, review, query);
  }

  #read(exchange: Exchange, review: InFlightReview, query: string): void {
    const { inFlight, memory } = this.#options;
    readReview(exchange, {
      inFlight,
      review,
      limit: this.#limit,
      memory,
      done: (body, release) => this.#answer(exchange, review, { body, release }, this.#timeout(query)),
      failed: (error) => {
        inFlight.leave(review);
        if (error !== 'aborted') this.#refuse(exchange, error, review.since);
      },
    });
  }

  /** API servers send the same query every time. */
  #timeout(query: string): number {
    if (query !== this.#lastQuery) {
      this.#lastQuery = query;
      this.#lastTimeout = timeoutOf(query) ?? this.#options.limits.defaultTimeoutMs;
    }
    return this.#lastTimeout;
  }

  #refusal(exchange: Exchange): ApiError | undefined {
    const { method, headers, socket } = exchange;
    const contentType = headers['content-type'];
    if (method !== 'POST')
      return apiErrors.raw({
        code: 405,
        reason: 'MethodNotAllowed',
        message: `reviews are sent with POST, not ${method}`,
      });
    if (this.#options.needsClientCertificate && socket?.authorized !== true) {
      return apiErrors.unauthorized('a client certificate signed by the configured CA is required');
    }
    if (
      contentType === undefined ||
      contentType === 'application/json' ||
      /^application\/json\s*(?:;|$)/i.test(contentType)
    )
      return undefined;
    return apiErrors.unsupportedMediaType(`reviews are read as application/json, not as ${contentType}`);
  }

  #refuse(exchange: Exchange, error: ApiError, began: number): void {
    const retry = error.code === 429 ? { 'retry-after': '1' } : undefined;
    const allowed = error.code === 405 ? { allow: 'POST' } : undefined;
    const headers = { ...retry, ...allowed };
    sendAnswer(exchange, {
      status: error.code,
      type: 'application/json',
      body: JSON.stringify(error.status),
      headers,
    });
    this.#count(error.code, 'refused', began);
    this.#options.log.warn(
      { path: this.#metrics.path, status: error.code, why: error.message },
      'a request was refused',
    );
  }

  #answer(
    exchange: Exchange,
    review: InFlightReview,
    { body, release }: ReceivedBody,
    timeoutMs: number,
  ): void {
    const answer = this.#call(body, timeoutMs);
    const send = (known: ReviewAnswer): void => this.#send(exchange, review, known, release);
    if (isPromise(answer)) answer.then(send, (error: unknown) => send(functionFailed('the webhook', error)));
    else send(answer);
  }

  /** Webhooks of the kit do not throw; others may. */
  #call(body: Uint8Array, timeoutMs: number): ReviewAnswer | Promise<ReviewAnswer> {
    try {
      return this.#webhook.answer(body, { timeoutMs, log: this.#options.log, memory: this.#options.memory });
    } catch (error) {
      return functionFailed('the webhook', error);
    }
  }

  #send(exchange: Exchange, review: InFlightReview, answer: ReviewAnswer, releaseAsked: () => void): void {
    const { status, body } = answer;
    const release = (): void => {
      answer.release?.();
      // A function that timed out may still be reading it.
      if (answer.outcome !== 'timeout') releaseAsked();
    };
    sendAnswer(exchange, { status, type: 'application/json', body, release });
    this.#options.inFlight.leave(review);
    this.#count(answer.status, answer.outcome, review.since);
    if (answer.conversions !== undefined) this.#options.metrics.converted(answer.conversions);
    this.#log(answer);
  }

  #count(status: number, outcome: ReviewAnswer['outcome'] | Refusal, began: number): void {
    this.#metrics.answered(status, outcome, performance.now() - began);
  }

  /** Never logs contents of objects: they may hold secrets. */
  #log({ status, outcome, error }: ReviewAnswer): void {
    const { log } = this.#options;
    const fields = { path: this.#metrics.path, status, outcome };
    if (outcome === 'failed') log.error({ ...fields, err: error }, 'a review failed');
    else if (outcome === 'timeout' || outcome === 'malformed')
      log.warn({ ...fields, why: error }, 'a review was not answered');
    else if (log.isLevelEnabled('debug')) log.debug(fields, 'review');
  }
}
