// Bounds how much is under way at once: reads, writes and watches each have their own number; whoever comes
// beyond it is told to come back. Unlike upstream nobody is exempt: the bound protects the process, and most
// servers have the admin as their only user.

import type { ApiRequest, ApiResponse, Filter, StreamBody } from '../../wire/exchange.ts';
import { isStreamBody } from '../../wire/exchange.ts';
import { errorText } from '../../wire/responses.ts';
import type { RequestMetrics } from '../metrics/request-metrics.ts';

export interface InFlightLimits {
  readonly maxRequestsInflight: number;
  readonly maxMutatingRequestsInflight: number;
  readonly maxWatches: number;
}

type Kind = 'readOnly' | 'mutating' | 'watch';
const READS: ReadonlySet<string> = new Set(['get', 'list', 'head', 'options']);
const NEVER_REFUSED = /^\/(?:healthz|livez|readyz|metrics)(?:\/|$)/;

/** 0 means no bound, as with upstream's flags. */
export function limitFilter(limits: InFlightLimits, metrics?: RequestMetrics): Filter {
  const bound: Record<Kind, number> = {
    readOnly: limits.maxRequestsInflight || Number.POSITIVE_INFINITY,
    mutating: limits.maxMutatingRequestsInflight || Number.POSITIVE_INFINITY,
    watch: limits.maxWatches || Number.POSITIVE_INFINITY,
  };
  const underWay: Record<Kind, number> = { readOnly: 0, mutating: 0, watch: 0 };
  const change = (kind: Kind, by: 1 | -1): void => {
    underWay[kind] += by;
    if (kind !== 'watch') metrics?.inFlight(kind, underWay[kind]);
  };
  return async (request, next) => {
    const kind = kindOf(request);
    if (underWay[kind] >= bound[kind] && !NEVER_REFUSED.test(request.path)) return tooMany();
    change(kind, 1);
    try {
      const response = await next(request);
      if (!isStreamBody(response.body)) change(kind, -1);
      return isStreamBody(response.body)
        ? releasedAtEnd(response, response.body, () => change(kind, -1))
        : response;
    } catch (error) {
      change(kind, -1);
      throw error;
    }
  };
}

function kindOf(request: ApiRequest): Kind {
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
