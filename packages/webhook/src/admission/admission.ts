// An admission function as a webhook: reads the AdmissionReview, calls the function, encodes the answer.
// Independent of HTTP.
import { type ApiError, apiErrors, isJsonObject, type JsonObject } from '@instar/machinery';
import { TimeSlices } from '../conversion/time-slices.ts';
import { Deadline, isPromise, TIMED_OUT } from '../review/deadline.ts';
import { isLong, type ParsedBody, parseBody, parseBodyInSteps, textOf } from '../review/parse-body.ts';
import { reviewFault } from '../review/review-fault.ts';
import { functionFailed, malformed, messageOf, timedOut } from '../review/status-answer.ts';
import type { AdmissionWebhook, ReviewCall, TextAnswer } from '../review/webhook.ts';
import { encodeAnswer } from './encode-answer.ts';
import type { AdmissionFunction, TypedAdmissionRequest } from './request.ts';
import { type AdmissionVerdict, deny } from './verdict.ts';

/** Options of an admission webhook. */
export interface AdmissionOptions {
  /**
   * What happens if the function throws or times out: the call fails, and the failurePolicy of the webhook
   * configuration decides (the default), or the request is denied regardless of that policy.
   */
  readonly onError?: 'fail' | 'deny';
}

const API_VERSIONS: ReadonlySet<string> = new Set(['admission.k8s.io/v1', 'admission.k8s.io/v1beta1']);
const FUNCTION = 'the admission function';

/** Makes an admission webhook of a function. */
export function admission<T = JsonObject>(
  decide: AdmissionFunction<T>,
  options: AdmissionOptions = {},
): AdmissionWebhook {
  return {
    review: 'AdmissionReview',
    answer(body, call = {}) {
      const text = textOf(body);
      const answer = (parsed: ParsedBody) => {
        if ('fault' in parsed) return malformed(parsed.fault);
        const fault =
          reviewFault(parsed.review, 'AdmissionReview', API_VERSIONS) ??
          requestFault(parsed.review['request'] as JsonObject);
        return fault === undefined
          ? new AdmissionCall(text, parsed.review, decide, options).run(call)
          : malformed(fault);
      };
      if (!isLong(text)) return answer(parseBody(text));
      const slices = new TimeSlices(new Deadline(call));
      return parseBodyInSteps(text, () => slices.nextIfOver()).then(answer);
    },
  };
}

function requestFault({ object, oldObject, operation }: JsonObject): string | undefined {
  if (typeof operation !== 'string') return 'the request of the AdmissionReview has no operation';
  if (object !== undefined && object !== null && !isJsonObject(object))
    return 'request.object is not an object';
  return oldObject === undefined || oldObject === null || isJsonObject(oldObject)
    ? undefined
    : 'request.oldObject is not an object';
}

/** Not by instanceof: a module that the command serves may have its own copy of the class. */
function isApiError(error: unknown): error is ApiError {
  return (
    error instanceof Error && error.name === 'ApiError' && typeof (error as ApiError).status === 'object'
  );
}

/** One call of the function, from the parsed review to the answer. */
class AdmissionCall<T> {
  readonly #text: string;
  readonly #apiVersion: string;
  readonly #uid: string;
  readonly #request: TypedAdmissionRequest<T>;
  readonly #decide: AdmissionFunction<T>;
  readonly #onError: 'fail' | 'deny';

  constructor(
    text: string,
    review: JsonObject,
    decide: AdmissionFunction<T>,
    { onError = 'fail' }: AdmissionOptions,
  ) {
    const request = review['request'] as JsonObject;
    // Absent members become null, so that functions have one case to handle.
    request['object'] ??= null;
    request['oldObject'] ??= null;
    request['options'] ??= null;
    request['dryRun'] ??= false;
    this.#text = text;
    this.#apiVersion = review['apiVersion'] as string;
    this.#uid = request['uid'] as string;
    this.#request = request as unknown as TypedAdmissionRequest<T>;
    this.#decide = decide;
    this.#onError = onError;
  }

  run(call: ReviewCall): TextAnswer | Promise<TextAnswer> {
    const deadline = new Deadline(call);
    try {
      const verdict = this.#decide(this.#request, deadline);
      return isPromise(verdict) ? this.#wait(deadline, verdict) : this.#encode(verdict);
    } catch (error) {
      return this.#failed(error);
    }
  }

  async #wait(deadline: Deadline, pending: PromiseLike<AdmissionVerdict>): Promise<TextAnswer> {
    try {
      const verdict = await deadline.race(pending);
      return verdict === TIMED_OUT ? this.#timedOut(deadline.timeoutMs!) : this.#encode(verdict);
    } catch (error) {
      return this.#failed(error);
    }
  }

  #encode(verdict: AdmissionVerdict): TextAnswer {
    return encodeAnswer({ apiVersion: this.#apiVersion, uid: this.#uid, text: this.#text }, verdict);
  }

  /**
   * An ApiError is a denial that the function wants the user to see. Anything else is a bug of the function.
   */
  #failed(error: unknown): TextAnswer {
    if (isApiError(error)) {
      const { message = error.message, code, reason, details } = error.status;
      return this.#encode(deny(message, { code, reason, causes: details?.causes }));
    }
    if (this.#onError === 'fail') return functionFailed(FUNCTION, error);
    return {
      ...this.#encode(deny(`${FUNCTION} failed: ${messageOf(error)}`, 500)),
      outcome: 'failed',
      error,
    };
  }

  #timedOut(timeoutMs: number): TextAnswer {
    if (this.#onError === 'fail') return timedOut(FUNCTION, timeoutMs);
    return {
      ...this.#encode(
        deny(apiErrors.timeout(`${FUNCTION} took longer than ${timeoutMs / 1000} s`).message, 504),
      ),
      outcome: 'timeout',
    };
  }
}
