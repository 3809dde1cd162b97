// Strategy Webhook: objects travel together in bounded batches, several at once. An object that cannot be
// converted is found and told apart from those that came with it.
import type { ConversionReviewApiVersion } from '@instar/machinery';
import { batchesOf, type Encoded } from './batches.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import type { AsyncConverter, ConversionOutcome, ConvertOptions, Settle, TakesJson } from './converter.ts';
import { type ConversionFailure, type Fault, failureOf, isFailure, isUnreachable } from './failure.ts';
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

/** For metrics. */
export interface ConversionObserver {
  /** Told of every call. */
  called(call: ObservedCall): void;
  /** A call was not made, since so many before it had failed. */
  shortCircuited(): void;
}

export interface ObservedCall {
  readonly fromApiVersion: string;
  readonly toApiVersion: string;
  readonly objects: number;
  readonly milliseconds: number;
  readonly fault: Fault | undefined;
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
    const target: Target = { apiVersion: toApiVersion, takesJson, stopsAtFirst, isAborted, ...limits };
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
   * Nobody is there, or nobody answers in time: what has not been sent need not be, and to look for the
   * object at fault would take as long again.
   */
  #isFinal(
    { isUnreachable, kind }: Pick<ConversionFailure, 'isUnreachable' | 'kind'>,
    { bisectUntil }: Target,
  ): boolean {
    return isUnreachable || (kind === 'timeout' && this.#options.now() >= bisectUntil);
  }

  async #convertBatch(batch: readonly Encoded[], to: Target): Promise<Settled[]> {
    const result = await this.#send(batch, to);
    if (Array.isArray(result)) return result;
    if (batch.length === 1 || !this.#mayBisect(result, to)) return this.#failAll(batch, to, result);
    const budget = to.stopsAtFirst ? { bisectCalls: 2 * Math.ceil(Math.log2(batch.length)) } : to;
    return this.#bisect(batch, to, result, budget);
  }

  #mayBisect(fault: Fault, to: Target): boolean {
    return !this.#isFinal({ isUnreachable: isUnreachable(fault), kind: fault.kind }, to);
  }

  /**
   * The batch failed as a whole: halves are tried, the first one first, so that the first object that cannot
   * be converted is found. The number of calls is bounded: for whoever stops at the first, it is enough to
   * find one such object.
   */
  async #bisect(
    batch: readonly Encoded[],
    to: Target,
    fault: Fault,
    budget: { bisectCalls: number },
  ): Promise<Settled[]> {
    if (batch.length === 1) return this.#failAll(batch, to, fault);
    const middle = batch.length >> 1;
    const settled: Settled[] = [];
    for (const half of [batch.slice(0, middle), batch.slice(middle)]) {
      if (to.isAborted?.()) break;
      if (budget.bisectCalls-- <= 0) {
        // A webhook may refuse no object by itself, but so many of them: something has to be told all the
        // same.
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

  #failAll(batch: readonly Encoded[], { apiVersion }: Target, fault: Fault): Settled[] {
    const details = { endpoint: this.#options.endpoint, together: isUnreachable(fault) ? 1 : batch.length };
    return batch.map(({ index, source }) => ({
      index,
      source,
      outcome: failureOf(fault, source, apiVersion, details),
    }));
  }

  /** One call: what became of each object, or what was wrong with the whole. */
  async #send(batch: readonly Encoded[], target: Target, isBisecting = false): Promise<Settled[] | Fault> {
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
    target: Target,
    reviewVersion: ConversionReviewApiVersion,
    isBisecting: boolean,
  ): Promise<Settled[] | Fault> {
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
    this.#tellBreaker(batch, fault, isBisecting);
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

  #tellBreaker(batch: readonly Encoded[], fault: Fault | undefined, isBisecting: boolean): void {
    if (fault !== undefined && isUnreachable(fault)) this.#breaker.failed(fault);
    else if (fault?.kind !== 'timeout') this.#breaker.reached();
    // That half of a batch fails is no news after the whole of it has, unless it was let through to try.
    else if (!isBisecting || this.#breaker.isOpen) this.#breaker.gotStuck(fault, batchKey(batch));
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
        const { kind, message, reached } = error;
        return { kind, upstreamType: 'conversion_webhook_call_failure', text: `failed: ${message}`, reached };
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
      const own: Fault = {
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

/** What is asked for by one request. */
interface Target {
  readonly apiVersion: string;
  readonly takesJson: TakesJson | undefined;
  readonly stopsAtFirst: boolean;
  readonly isAborted: ConvertOptions['isAborted'];
  /** How many calls may still be made to find out which objects it was that could not be converted. */
  bisectCalls: number;
  /** And until when, if calls fail because they take too long. */
  readonly bisectUntil: number;
}

/** Enough for some sixty such objects in batches of 250. */
const MAX_BISECT_CALLS = 1_000;
/** A request has a minute. */
const MAX_BISECT_MS = 20_000;

interface Settled {
  readonly index: number;
  readonly source: ConversionSource;
  /** Undefined: it has been told already. */
  readonly outcome?: ConversionOutcome;
}

const hasFailed = ({ outcome }: Settled): boolean => outcome !== undefined && isFailure(outcome);

const NO_REVIEW_VERSION: Fault = {
  kind: 'call',
  upstreamType: 'conversion_webhook_call_failure',
  text: 'failed: no supported conversion review versions',
};

/** Of what is in a call, so that it is known again. */
function batchKey(batch: readonly Encoded[]): string {
  const { name = '', namespace = '' } = batch[0]!.source.metadata;
  return `${batch.length} ${namespace}/${name}`;
}
