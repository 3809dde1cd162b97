// Strategy Webhook: objects travel together in bounded batches, several at once. An object that cannot be converted is found and told apart
// from those that came with it.
import type { ConversionReviewApiVersion } from '@instar/machinery';
import { batchesOf, type Encoded } from './batches.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import type { ConversionOutcome, Settle, TakesJson, WaitingConverter } from './converter.ts';
import { ConversionFailure, type Fault, failureOf, isOfTheWay } from './failure.ts';
import { guard } from './metadata-guard.ts';
import { type AnsweredObject, readAnswer } from './read-answer.ts';
import { encodeReview } from './review-request.ts';
import type { WebhookSettings } from './settings.ts';
import type { ConversionSource, ConversionSources } from './source.ts';
import { CallError, type WebhookAnswer, type WebhookCall } from './webhook-call.ts';

export interface WebhookConverterOptions {
  /** Undefined: none of the definition's conversionReviewVersions is known here. */
  readonly reviewVersion: ConversionReviewApiVersion | undefined;
  readonly settings: WebhookSettings;
  readonly call: WebhookCall;
  /** For messages: the URL without its query. */
  readonly endpoint: string;
  readonly newUid: () => string;
  /** Milliseconds, of a clock that only goes forward. */
  readonly now: () => number;
  readonly observer?: ConversionObserver;
}

/** Told of every call, for metrics. */
export interface ConversionObserver {
  called(call: ObservedCall): void;
}

export interface ObservedCall {
  readonly fromApiVersion: string;
  readonly toApiVersion: string;
  readonly objects: number;
  readonly milliseconds: number;
  readonly fault: Fault | undefined;
}

export class WebhookConverter implements WaitingConverter {
  readonly #options: WebhookConverterOptions;
  readonly #breaker: CircuitBreaker;

  constructor(options: WebhookConverterOptions) {
    this.#options = options;
    this.#breaker = new CircuitBreaker(options.now);
  }

  async convert(sources: ConversionSources, toApiVersion: string, settle: Settle, takesJson?: TakesJson): Promise<void> {
    const target: Target = { apiVersion: toApiVersion, takesJson };
    const isSettled = new Uint8Array(sources.length);
    const batches = batchesOf(sources, this.#options.settings);
    let failure: ConversionFailure | undefined;
    const worker = async (): Promise<void> => {
      for (let next = batches.next(); !next.done; next = failure === undefined ? batches.next() : batches.return(undefined)) {
        for (const { index, source, outcome } of await this.#convertBatch(next.value, target)) {
          isSettled[index] = 1;
          if (outcome === undefined) continue;
          if (outcome instanceof ConversionFailure) failure ??= outcome;
          settle(index, outcome, source);
        }
      }
    };
    await Promise.all(Array.from({ length: this.#options.settings.concurrency }, worker));
    // Whoever wants them all has failed by then: what has not been sent yet need not be.
    for (let index = isSettled.indexOf(0); index >= 0; index = isSettled.indexOf(0, index + 1)) {
      const source = sources.at(index)!;
      settle(index, sameFor(source, failure!), source);
    }
  }

  async #convertBatch(batch: readonly Encoded[], to: Target): Promise<Settled[]> {
    const result = await this.#send(batch, to);
    if (Array.isArray(result)) return result;
    if (batch.length === 1 || isOfTheWay(result)) return this.#failAll(batch, to, result);
    return this.#tellApart(batch, to, result, { calls: 2 * Math.ceil(Math.log2(batch.length)) });
  }

  /**
   * The batch was refused as a whole: halves are tried, the first one first, so that the first object that cannot be converted is found.
   * The number of calls is bounded: enough to find one such object and to convert all others.
   */
  async #tellApart(batch: readonly Encoded[], to: Target, fault: Fault, budget: { calls: number }): Promise<Settled[]> {
    if (batch.length === 1) return this.#failAll(batch, to, fault);
    const middle = batch.length >> 1;
    const settled: Settled[] = [];
    for (const half of [batch.slice(0, middle), batch.slice(middle)]) {
      if (budget.calls-- <= 0) {
        settled.push(...this.#failAll(half, to, fault));
        continue;
      }
      const result = await this.#send(half, to);
      if (Array.isArray(result)) settled.push(...result);
      else if (isOfTheWay(result)) settled.push(...this.#failAll(half, to, result));
      else settled.push(...(await this.#tellApart(half, to, result, budget)));
    }
    return settled;
  }

  #failAll(batch: readonly Encoded[], { apiVersion }: Target, fault: Fault): Settled[] {
    return batch.map(({ index, source }) => ({ index, source, outcome: failureOf(fault, source, apiVersion, this.#options.endpoint) }));
  }

  /** One call: what became of each object, or what was wrong with the whole. */
  async #send(batch: readonly Encoded[], target: Target): Promise<Settled[] | Fault> {
    const { apiVersion: to, takesJson } = target;
    const { reviewVersion, newUid, now, observer } = this.#options;
    const refusal = reviewVersion === undefined ? NO_REVIEW_VERSION : this.#breaker.refusal();
    if (reviewVersion === undefined || refusal !== undefined) return refusal!;
    const start = now();
    const uid = newUid();
    const objects = batch.map(({ json }) => json);
    const answer = await this.#call(encodeReview({ uid, apiVersion: reviewVersion, desiredApiVersion: to, objects }));
    const expected = { uid, apiVersion: reviewVersion, count: batch.length };
    const read = 'status' in answer ? readAnswer(answer, expected, batch, { apiVersion: to, shape: takesJson?.shape }) : answer;
    const { outcomes, fault } = 'objects' in read ? this.#guarded(batch, read.objects, target) : { outcomes: undefined, fault: read };
    if ('status' in answer) answer.release?.();
    if (fault !== undefined && isOfTheWay(fault)) this.#breaker.failed(fault);
    else this.#breaker.reached();
    const fromApiVersion = batch[0]!.source.apiVersion;
    observer?.called({ fromApiVersion, toApiVersion: to, objects: batch.length, milliseconds: now() - start, fault });
    return outcomes ?? fault!;
  }

  /** Made again if its connection broke. */
  async #call(pieces: readonly (string | Uint8Array)[]): Promise<WebhookAnswer | Fault> {
    const { call, settings } = this.#options;
    for (let attempt = 0; ; attempt++) {
      try {
        return await call({ pieces, timeoutMs: settings.timeoutMs });
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        if (error.mayRetry && attempt < settings.retries) continue;
        return { kind: error.kind, upstreamType: 'conversion_webhook_call_failure', text: `failed: ${error.message}` };
      }
    }
  }

  /** What came back as JSON is settled at once: it is part of the answer, whose memory serves again. */
  #guarded(
    batch: readonly Encoded[],
    objects: readonly AnsweredObject[],
    { apiVersion: to, takesJson }: Target,
  ): { outcomes: Settled[]; fault: Fault | undefined } {
    let fault: Fault | undefined;
    const outcomes = batch.map(({ index, source }, position): Settled => {
      const answered = objects[position]!;
      if ('rest' in answered) {
        takesJson!.settle(index, answered.rest);
        return { index, source };
      }
      const guarded = guard(source, answered.value, to, position);
      if ('object' in guarded) return { index, source, outcome: guarded.object };
      const own: Fault = { kind: 'invalid', upstreamType: 'conversion_webhook_invalid_converted_object_failure', text: guarded.fault };
      fault ??= own;
      return { index, source, outcome: failureOf(own, source, to, this.#options.endpoint) };
    });
    return { outcomes, fault };
  }
}

interface Target {
  readonly apiVersion: string;
  readonly takesJson: TakesJson | undefined;
}

interface Settled {
  readonly index: number;
  readonly source: ConversionSource;
  /** Undefined: it has been told already. */
  readonly outcome?: ConversionOutcome;
}

const NO_REVIEW_VERSION: Fault = {
  kind: 'call',
  upstreamType: 'conversion_webhook_call_failure',
  text: 'failed: no supported conversion review versions',
};

const sameFor = (source: ConversionSource, { message, kind, toApiVersion, endpoint, http }: ConversionFailure): ConversionFailure =>
  new ConversionFailure(message, kind, source, toApiVersion, endpoint, http);
