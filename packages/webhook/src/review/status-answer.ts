// Answers that are not reviews: the request could not be read, or the function failed. The body is a Status,
// which API servers print.
import { ApiError, apiErrors } from '@instar/machinery';
import type { ReviewOutcome, TextAnswer } from './webhook.ts';

function statusAnswer(error: ApiError, outcome: ReviewOutcome, cause?: unknown): TextAnswer {
  const answer = { status: error.code, body: JSON.stringify(error.status), outcome };
  return cause === undefined ? answer : { ...answer, error: cause };
}

export const malformed = (why: string): TextAnswer =>
  statusAnswer(apiErrors.badRequest(why), 'malformed', why);

/** The user's function threw. The message goes to the caller, the stack only to the log. */
export function functionFailed(what: string, error: unknown): TextAnswer {
  return statusAnswer(internalError(`${what} failed: ${messageOf(error)}`), 'failed', error);
}

export function timedOut(what: string, timeoutMs: number): TextAnswer {
  return statusAnswer(
    apiErrors.timeout(`${what} did not finish within the ${timeoutMs / 1000} s that the caller waits`),
    'timeout',
  );
}

/** Without upstream's "Internal error occurred", which the API server puts there itself. */
const internalError = (message: string): ApiError =>
  new ApiError({ code: 500, reason: 'InternalError', message });

/** The thrown value need not be an Error. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message === '' ? error.name : error.message;
  return typeof error === 'string' ? error : (safeJson(error) ?? String(typeof error));
}

function safeJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
