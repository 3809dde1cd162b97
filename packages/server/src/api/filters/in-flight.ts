// What both ways of limiting requests share: which sort of request it is, how many of each are in flight, and
// when one with a stream has ended.
import type { ApiResponse, StreamBody } from '../../wire/exchange.ts';
import type { RequestInfo } from '../../wire/request-info.ts';
import type { RequestMetrics } from '../metrics/request-metrics.ts';

export type RequestClass = 'readOnly' | 'mutating' | 'watch';
const READS: ReadonlySet<string> = new Set(['get', 'list', 'head', 'options']);

export function classOf({ verb, isResourceRequest, nonResourceVerb }: RequestInfo): RequestClass {
  if (verb === 'watch') return 'watch';
  return READS.has(isResourceRequest ? verb : nonResourceVerb) ? 'readOnly' : 'mutating';
}

/** Counts a request in, and returns what counts it out. */
export function inFlightCounter(metrics: RequestMetrics | undefined): (info: RequestInfo) => () => void {
  const inFlight: Record<RequestClass, number> = { readOnly: 0, mutating: 0, watch: 0 };
  const change = (requestClass: RequestClass, by: 1 | -1): void => {
    inFlight[requestClass] += by;
    if (requestClass !== 'watch') metrics?.inFlight(requestClass, inFlight[requestClass]);
  };
  return (info) => {
    const requestClass = classOf(info);
    change(requestClass, 1);
    return () => change(requestClass, -1);
  };
}

export function releasedAtEnd(response: ApiResponse, body: StreamBody, release: () => void): ApiResponse {
  const start: StreamBody['start'] = (sink) => {
    const stop = body.start(sink);
    return () => {
      release();
      stop();
    };
  };
  return { ...response, body: { start } };
}
