// Turns errors thrown by inner filters and handlers into the responses that clients know. An unexpected error
// becomes a 500 that names the request; its stack goes to the log only.
import { type ApiError, apiErrors, type Status } from '@instar/machinery';
import type { Log } from '@instar/serving';
import { StoreError } from '@instar/store';
import { apiErrorOf } from '../../wire/api-error-of.ts';
import type { ApiRequest, ApiResponse } from '../../wire/exchange.ts';
import { statusResponse } from '../../wire/responses.ts';
import { NotAuthorized } from '../auth/forbidden.ts';

/** Writes a Status as the request negotiated it: handlers/ can render it in other formats than JSON. */
export type StatusRenderer = (status: Status, request: ApiRequest) => ApiResponse;

export function errorAnswers(
  log: Log,
  render: StatusRenderer = statusResponse,
): (error: unknown, request: ApiRequest) => ApiResponse {
  return (error, request) => {
    const { status } = explained(error, request, log);
    const response = render(status, request);
    if (error instanceof NotAuthorized) response.headers['x-content-type-options'] = 'nosniff';
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
  // The client has disconnected, or has got a timeout: this response is not sent.
  if (request.signal.aborted) return apiErrors.timeout('the request was aborted');
  log.error(fields, 'a request failed with an unexpected error');
  return apiErrors.internal(`request ${request.id} failed; see the log of the server`);
}

/** The other two are caused by the resourceVersion that the client sent. */
const isFaultOfStore = (error: unknown): boolean =>
  error instanceof StoreError && error.code !== 'compacted' && error.code !== 'future-revision';
