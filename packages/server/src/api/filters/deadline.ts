// Limits the time that a request may take: `?timeout=` up to the server's own maximum. Watches have their own
// timeoutSeconds.
import { parseGoDuration } from '@instar/go';
import { apiErrors } from '@instar/machinery';
import { DeadlineQueue, type Expiry } from '../../wire/deadline-queue.ts';
import type { ApiRequest, ApiResponse, Filter } from '../../wire/exchange.ts';

export function deadlineFilter(maximumMs: number): Filter {
  const queue = new DeadlineQueue(maximumMs);
  return (request, next) => {
    if (request.info.verb === 'watch') return next(request);
    const requested = requestedTimeoutMs(request);
    const answer = next(request);
    return requested === undefined || requested >= maximumMs
      ? within(request, answer, (expire) => queue.add(expire))
      : within(request, answer, (expire) => timerOf(requested, expire));
  };
}

/** How long a request may take. */
export const timeoutMsOf = (request: ApiRequest, maximumMs: number): number =>
  request.info.verb === 'watch' ? maximumMs : Math.min(requestedTimeoutMs(request) ?? maximumMs, maximumMs);

/** Undefined: none requested. Zero and less mean none too, as upstream. */
function requestedTimeoutMs(request: ApiRequest): number | undefined {
  if (!request.rawQuery.includes('timeout=')) return undefined;
  const text = request.query.get('timeout');
  if (text === null || text === '') return undefined;
  const timeout = parseGoDuration(text);
  if (typeof timeout === 'string')
    throw apiErrors.badRequest(`invalid timeout specified in the request URL - ${timeout}`);
  return timeout > 0n ? Number(timeout) / 1e6 : undefined;
}

function timerOf(timeoutMs: number, expire: () => void): Expiry {
  const timer = setTimeout(expire, timeoutMs);
  return { cancel: () => clearTimeout(timer) };
}

function within(
  request: ApiRequest,
  answer: Promise<ApiResponse>,
  arm: (expire: () => void) => Expiry,
): Promise<ApiResponse> {
  return new Promise((resolve, reject) => {
    const expiry = arm(() => {
      const error = apiErrors.timeout('request did not complete within the allotted timeout');
      request.abort(error);
      reject(error);
    });
    answer.then(
      (response) => {
        expiry.cancel();
        resolve(response);
      },
      (error: Error) => {
        expiry.cancel();
        reject(error);
      },
    );
  });
}
