// Bounds the time that a request may take: `?timeout=` up to the server's own maximum. Watches are bounded by their own timeoutSeconds.
import { apiErrors } from '@instar/machinery';
import type { ApiRequest, ApiResponse, Filter } from '../exchange.ts';
import { parseGoDuration } from '../go-duration.ts';

export function deadlineFilter(maximumMs: number): Filter {
  return (request, next) => {
    if (request.info.verb === 'watch') return next(request);
    const timeout = Math.min(askedTimeout(request) ?? maximumMs, maximumMs);
    return within(timeout, request, next(request));
  };
}

/** Undefined: none asked for. Zero and less mean none too, as upstream. */
function askedTimeout(request: ApiRequest): number | undefined {
  if (!request.rawQuery.includes('timeout=')) return undefined;
  const text = request.query.get('timeout');
  if (text === null || text === '') return undefined;
  const timeout = parseGoDuration(text);
  if (typeof timeout === 'object') throw apiErrors.badRequest(`invalid timeout specified in the request URL - ${timeout.error}`);
  return timeout > 0 ? timeout : undefined;
}

function within(timeoutMs: number, request: ApiRequest, answer: Promise<ApiResponse>): Promise<ApiResponse> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const error = apiErrors.timeout('request did not complete within the allotted timeout');
      request.abort(error);
      reject(error);
    }, timeoutMs);
    answer.then(
      (response) => {
        clearTimeout(timer);
        resolve(response);
      },
      (error: Error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
