// Turns what is thrown further in into the answer that clients know. A bug of ours becomes a 500 that names
// the request; its stack goes to the log alone.
import { type ApiError, apiErrors, type Status } from '@instar/machinery';
import type { Log } from '@instar/serving';
import { StoreError } from '@instar/store';
import { apiErrorOf } from '../../wire/api-error-of.ts';
import type { ApiRequest, ApiResponse } from '../../wire/exchange.ts';
import { statusResponse } from '../../wire/responses.ts';

/**
 * How a Status is written for this request: the negotiation of handlers/ can render it in another form than
 * JSON.
 */
export type StatusRenderer = (status: Status, request: ApiRequest) => ApiResponse;

export function errorAnswers(
  log: Log,
  render: StatusRenderer = statusResponse,
): (error: unknown, request: ApiRequest) => ApiResponse {
  return (error, request) => {
    const { status } = explained(error, request, log);
    const response = render(status, request);
    return response.status < 500 ? response : { ...response, failure: status.message ?? '' };
  };
}

function explained(error: unknown, request: ApiRequest, log: Log): ApiError {
  const expected = apiErrorOf(error);
  if (expected !== undefined && expected === error) return expected;
  const fields = { requestId: request.id, method: request.method, path: request.path, err: error };
  if (expected !== undefined) {
    if (isFaultOfStore(error)) log.error(fields, 'the store failed');
    return expected;
  }
  // Whoever asked has gone, or waits no longer: nobody reads this answer.
  if (request.signal.aborted) return apiErrors.timeout('the request was given up');
  log.error(fields, 'a request failed for a reason of our own');
  return apiErrors.internal(`request ${request.id} failed; the log of the server says why`);
}

/** The other two are answers to what the client asked for. */
const isFaultOfStore = (error: unknown): boolean =>
  error instanceof StoreError && error.code !== 'compacted' && error.code !== 'future-revision';
