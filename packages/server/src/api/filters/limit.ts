// Limits the requests in flight: reads, writes and watches have a limit each, beyond which clients get a 429.
// Unlike upstream, no user is exempt: the limit protects the process, and most servers have the admin as
// their only user.

import type { ApiRequest, ApiResponse, Filter, StreamBody } from '../../wire/exchange.ts';
import { isStreamBody } from '../../wire/exchange.ts';
import { errorText } from '../../wire/responses.ts';
import type { RequestMetrics } from '../metrics/request-metrics.ts';

interface InFlightLimits {
  readonly maxRequestsInflight: number;
  readonly maxMutatingRequestsInflight: number;
  readonly maxWatches: number;
}

type RequestClass = 'readOnly' | 'mutating' | 'watch';
const READS: ReadonlySet<string> = new Set(['get', 'list', 'head', 'options']);
const NEVER_REFUSED = /^\/(?:healthz|livez|readyz|metrics)(?:\/|$)/;

/** 0 means no limit, as with upstream's flags. */
export function limitFilter(limits: InFlightLimits, metrics?: RequestMetrics): Filter {
  const limit: Record<RequestClass, number> = {
    readOnly: limits.maxRequestsInflight || Number.POSITIVE_INFINITY,
    mutating: limits.maxMutatingRequestsInflight || Number.POSITIVE_INFINITY,
    watch: limits.maxWatches || Number.POSITIVE_INFINITY,
  };
  const inFlight: Record<RequestClass, number> = { readOnly: 0, mutating: 0, watch: 0 };
  const change = (requestClass: RequestClass, by: 1 | -1): void => {
    inFlight[requestClass] += by;
    if (requestClass !== 'watch') metrics?.inFlight(requestClass, inFlight[requestClass]);
  };
  return async (request, next) => {
    const requestClass = classOf(request);
    if (inFlight[requestClass] >= limit[requestClass] && !NEVER_REFUSED.test(request.path)) return tooMany();
    change(requestClass, 1);
    try {
      const response = await next(request);
      if (!isStreamBody(response.body)) change(requestClass, -1);
      return isStreamBody(response.body)
        ? releasedAtEnd(response, response.body, () => change(requestClass, -1))
        : response;
    } catch (error) {
      change(requestClass, -1);
      throw error;
    }
  };
}

function classOf(request: ApiRequest): RequestClass {
  const { verb, isResourceRequest, nonResourceVerb } = request.info;
  if (verb === 'watch') return 'watch';
  return READS.has(isResourceRequest ? verb : nonResourceVerb) ? 'readOnly' : 'mutating';
}

function releasedAtEnd(response: ApiResponse, body: StreamBody, release: () => void): ApiResponse {
  const start: StreamBody['start'] = (sink) => {
    const stop = body.start(sink);
    return () => {
      release();
      stop();
    };
  };
  return { ...response, body: { start } };
}

const tooMany = (): ApiResponse =>
  errorText(429, 'Too many requests, please try again later.', { 'retry-after': '1' });
