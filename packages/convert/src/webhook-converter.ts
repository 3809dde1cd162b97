// Strategy Webhook: objects are sent in bounded batches, several in flight. A failed batch is bisected to
// find the object that cannot be converted.
import type { ConversionReviewApiVersion } from '@instar/machinery';
import { batchesOf, type Encoded } from './batches.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import type { AsyncConverter, ConversionOutcome, ConvertOptions, Settle, TakesJson } from './converter.ts';
import { type ConversionFailure, failureOf, isFailure, isUnreachable, type WebhookFault } from './failure.ts';
import { guard } from './metadata-guard.ts';
import { type AnsweredObject, readAnswer } from './read-answer.ts';
import { encodeReview } from './review-request.ts';
import type { WebhookSettings } from './settings.ts';
import type { ConversionSource, ConversionSources } from './source.ts';
import { CallError, type WebhookAnswer, type WebhookCall } from './webhook-call.ts';

export interface WebhookConverterOptions {
  /** Undefined: none of the definition's conversionReviewVersions is supported. */
  readonly reviewVersion: ConversionReviewApiVersion | undefined;
  readonly settings: WebhookSettings;
  readonly call: WebhookCall;
  /** For messages: the URL without its query. */
  readonly endpoint: string;
  readonly newUid: () => string;
  /** Milliseconds, from a monotonic clock. */
  readonly now: () => number;
  readonly observer?: ConversionObserver;
}

/** For metrics. */
export interface ConversionObserver {
  /** Called after every call of the webhook. */
  called(call: ObservedCall): void;
  /** A call was not made, because the circuit breaker is open. */
  shortCircuited(): void;
}

/** What metrics report about one call of a conversion webhook. */
export interface ObservedCall {
  readonly fromApiVersion: string;
  readonly toApiVersion: string;
  readonly objects: number;
  readonly milliseconds: number;
  readonly fault: WebhookFault | undefined;
}

export class WebhookConverter implements AsyncConverter {
  readonly #options: WebhookConverterOptions;
  readonly #breaker: CircuitBreaker;

  constructor(options: WebhookConverterOptions) {
    this.#options = options;
    this.#breaker = new CircuitBreaker(options.now);
  }

  async convert(
    sources: ConversionSources,
    toApiVersion: string,
    settle: Settle,
    { takesJson, stopsAtFirst = false, isAborted }: ConvertOptions = {},
  ): Promise<void> {
    const limits = {
      bisectCalls: MAX_BISECT_CALLS,
      bisectUntil: this.#options.now() + MAX_BISECT_MS,
    };
    const target: ConversionTarget = {
      apiVersion: toApiVersion,
      takesJson,
      stopsAtFirst,
      isAborted,
      ...limits,
    };
    const isSettled = new Uint8Array(sources.length);
    const batches = batchesOf(sources, this.#options.settings);
    let final: ConversionFailure | undefined;
    let isOver = false;
    const worker = async (): Promise<void> => {
      for (
        let next = batches.next();
        !next.done;
        next = isOver || isAborted?.() ? batches.return(undefined) : batches.next()
      ) {
        for (const { index, source, outcome } of await this.#convertBatch(next.value, target)) {
          isSettled[index] = 1;
          if (outcome === undefined) continue;
          if (isFailure(outcome)) {
            if (this.#isFinal(outcome, target)) final ??= outcome;
            isOver ||= stopsAtFirst || final !== undefined;
          }
          settle(index, outcome, source);
        }
      }
    };
    await Promise.all(Array.from({ length: this.#options.settings.concurrency }, worker));
    if (final === undefined) return;
    for (let index = isSettled.indexOf(0); index >= 0; index = isSettled.indexOf(0, index + 1)) {
      const source = sources.at(index)!;
      settle(index, final.ofUnsent(source), source);
    }
  }

  /**
   * The webhook is unreachable or does not answer in time: further calls would fail too, and bisecting would
   * take as long again.
   */
  #isFinal(
    { isUnreachable, kind }: Pick<ConversionFailure, 'isUnreachable' | 'kind'>,
    { bisectUntil }: ConversionTarget,
  ): boolean {
    return isUnreachable || (kind === 'timeout' && this.#options.now() >= bisectUntil);
  }

  async #convertBatch(batch: readonly Encoded[], to: ConversionTarget): Promise<Settled[]> {
    const result = await this.#send(batch, to);
    if (Array.isArray(result)) return result;
    if (batch.length === 1 || !this.#mayBisect(result, to)) return this.#failAll(batch, to, result);
    const budget = to.stopsAtFirst ? { bisectCalls: 2 * Math.ceil(Math.log2(batch.length)) } : to;
    return this.#bisect(batch, to, result, budget);
  }

  #mayBisect(fault: WebhookFault, to: ConversionTarget): boolean {
    return !this.#isFinal({ isUnreachable: isUnreachable(fault), kind: fault.kind }, to);
  }

  /**
   * Tries the halves of a failed batch, the first one first, so that the first object that cannot be
   * converted is found. The number of calls is bounded: a caller that stops at the first failure needs only
   * one such object.
   */
  async #bisect(
    batch: readonly Encoded[],
    to: ConversionTarget,
    fault: WebhookFault,
    budget: { bisectCalls: number },
  ): Promise<Settled[]> {
    if (batch.length === 1) return this.#failAll(batch, to, fault);
    const middle = batch.length >> 1;
    const settled: Settled[] = [];
    for (const half of [batch.slice(0, middle), batch.slice(middle)]) {
      if (to.isAborted?.()) break;
      if (budget.bisectCalls-- <= 0) {
        // A webhook may refuse large batches only, and none of their objects alone: that has to be reported
        // all the same.
        if (!to.stopsAtFirst || !settled.some(hasFailed)) settled.push(...this.#failAll(half, to, fault));
        continue;
      }
      const result = await this.#send(half, to, true);
      if (Array.isArray(result)) settled.push(...result);
      else if (!this.#mayBisect(result, to)) settled.push(...this.#failAll(half, to, result));
      else settled.push(...(await this.#bisect(half, to, result, budget)));
    }
    return settled;
  }

  #failAll(batch: readonly Encoded[], { apiVersion }: ConversionTarget, fault: WebhookFault): Settled[] {
    const details = {
      endpoint: this.#options.endpoint,
      objectsInCall: isUnreachable(fault) ? 1 : batch.length,
    };
    return batch.map(({ index, source }) => ({
      index,
      source,
      outcome: failureOf(fault, source, apiVersion, details),
    }));
  }

  /** One call: the outcome of each object, or what was wrong with the whole. */
  async #send(
    batch: readonly Encoded[],
    target: ConversionTarget,
    isBisecting = false,
  ): Promise<Settled[] | WebhookFault> {
    const { reviewVersion, observer } = this.#options;
    if (reviewVersion === undefined) return NO_REVIEW_VERSION;
    const refusal = this.#breaker.refusal(() => batchKey(batch));
    if (refusal !== undefined) {
      observer?.shortCircuited();
      return refusal;
    }
    try {
      return await this.#exchange(batch, target, reviewVersion, isBisecting);
    } catch (error) {
      this.#breaker.abandon();
      throw error;
    }
  }

  async #exchange(
    batch: readonly Encoded[],
    target: ConversionTarget,
    reviewVersion: ConversionReviewApiVersion,
    isBisecting: boolean,
  ): Promise<Settled[] | WebhookFault> {
    const { apiVersion: to, takesJson } = target;
    const { newUid, now, observer } = this.#options;
    const start = now();
    const uid = newUid();
    const objects = batch.map(({ json }) => json);
    const answer = await this.#call(
      encodeReview({ uid, apiVersion: reviewVersion, desiredApiVersion: to, objects }),
    );
    const expected = { uid, apiVersion: reviewVersion, count: batch.length };
    const read =
      'status' in answer
        ? readAnswer(answer, expected, batch, { apiVersion: to, shape: takesJson?.shape })
        : answer;
    const { outcomes, fault } =
      'objects' in read ? this.#guarded(batch, read.objects, target) : { outcomes: undefined, fault: read };
    if ('status' in answer) answer.release?.();
    this.#reportToBreaker(batch, fault, isBisecting);
    const fromApiVersion = batch[0]!.source.apiVersion;
    observer?.called({
      fromApiVersion,
      toApiVersion: to,
      objects: batch.length,
      milliseconds: now() - start,
      fault,
    });
    return outcomes ?? fault!;
  }

  #reportToBreaker(batch: readonly Encoded[], fault: WebhookFault | undefined, isBisecting: boolean): void {
    if (fault !== undefined && isUnreachable(fault)) this.#breaker.failed(fault);
    else if (fault?.kind !== 'timeout') this.#breaker.succeeded();
    // After a failed batch, its failing halves say nothing new, unless this was the trial call.
    else if (!isBisecting || this.#breaker.isOpen) this.#breaker.hung(fault, batchKey(batch));
  }

  /** Retried if its connection broke. */
  async #call(pieces: readonly (string | Uint8Array)[]): Promise<WebhookAnswer | WebhookFault> {
    const { call, settings } = this.#options;
    for (let attempt = 0; ; attempt++) {
      try {
        return await call({ pieces, timeoutMs: settings.timeoutMs });
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        if (error.mayRetry && attempt < settings.retries) continue;
        const { kind, message, reached } = error;
        return { kind, upstreamType: 'conversion_webhook_call_failure', text: `failed: ${message}`, reached };
      }
    }
  }

  /** What came back as JSON is settled here: it is part of the answer, whose memory is reused. */
  #guarded(
    batch: readonly Encoded[],
    objects: readonly AnsweredObject[],
    { apiVersion: to, takesJson }: ConversionTarget,
  ): { outcomes: Settled[]; fault: WebhookFault | undefined } {
    let fault: WebhookFault | undefined;
    const outcomes = batch.map(({ index, source }, position): Settled => {
      const answered = objects[position]!;
      if ('rest' in answered) {
        takesJson!.settle(index, answered.rest);
        return { index, source };
      }
      const guarded = guard(source, answered.value, to, position);
      if ('object' in guarded) return { index, source, outcome: guarded.object };
      const own: WebhookFault = {
        kind: 'invalid',
        upstreamType: 'conversion_webhook_invalid_converted_object_failure',
        text: guarded.fault,
      };
      fault ??= own;
      return { index, source, outcome: failureOf(own, source, to, { endpoint: this.#options.endpoint }) };
    });
    return { outcomes, fault };
  }
}

/** The target of one conversion request. */
interface ConversionTarget {
  readonly apiVersion: string;
  readonly takesJson: TakesJson | undefined;
  readonly stopsAtFirst: boolean;
  readonly isAborted: ConvertOptions['isAborted'];
  /** How many more calls may be made to bisect. */
  bisectCalls: number;
  /** And until when, if calls time out. */
  readonly bisectUntil: number;
}

/** Enough for some sixty such objects in batches of 250. */
const MAX_BISECT_CALLS = 1_000;
/** A request has a minute. */
const MAX_BISECT_MS = 20_000;

interface Settled {
  readonly index: number;
  readonly source: ConversionSource;
  /** Undefined: it has been reported already. */
  readonly outcome?: ConversionOutcome;
}

const hasFailed = ({ outcome }: Settled): boolean => outcome !== undefined && isFailure(outcome);

const NO_REVIEW_VERSION: WebhookFault = {
  kind: 'call',
  upstreamType: 'conversion_webhook_call_failure',
  text: 'failed: no supported conversion review versions',
};

/** Identifies the content of a call to the circuit breaker. */
function batchKey(batch: readonly Encoded[]): string {
  const { name = '', namespace = '' } = batch[0]!.source.metadata;
  return `${batch.length} ${namespace}/${name}`;
}
