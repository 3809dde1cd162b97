// Limits the requests in flight when priority and fairness is off: reads, writes and watches have a limit
// each, beyond which clients get a 429 at once. Members of system:masters are not refused, as upstream.

import type { ApiResponse, Filter } from '../../wire/exchange.ts';
import { isStreamBody } from '../../wire/exchange.ts';
import { errorText } from '../../wire/responses.ts';
import { PRIVILEGED_GROUP } from '../auth/users.ts';
import type { RequestMetrics } from '../metrics/request-metrics.ts';
import { classOf, type RequestClass, releasedAtEnd } from './in-flight.ts';

interface InFlightLimits {
  readonly maxRequestsInflight: number;
  readonly maxMutatingRequestsInflight: number;
  readonly maxWatches: number;
}

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
    const requestClass = classOf(request.info);
    const isExempt = request.user.groups.includes(PRIVILEGED_GROUP) || NEVER_REFUSED.test(request.path);
    if (inFlight[requestClass] >= limit[requestClass] && !isExempt) return tooMany();
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

const tooMany = (): ApiResponse =>
  errorText(429, 'Too many requests, please try again later.', { 'retry-after': '1' });
