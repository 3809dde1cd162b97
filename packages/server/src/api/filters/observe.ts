// Counts, times and logs every request, as the last step of a response. Requests are logged at debug level,
// server errors at error with their reason, slow ones at info.
import { ApiError } from '@instar/machinery';
import type { Log } from '@instar/serving';
import type { ApiRequest, ApiResponse, Finisher, ResponseBody, StreamBody } from '../../wire/exchange.ts';
import { isStreamBody } from '../../wire/exchange.ts';
import type { RequestMetrics } from '../metrics/request-metrics.ts';

const SLOW_SECONDS = 1;

export function observe(log: Log, metrics: RequestMetrics): Finisher {
  const finish = (request: ApiRequest, { status, failure }: ApiResponse, bytes: number): void => {
    const seconds = (performance.now() - request.startedAt) / 1000;
    metrics.finished(request, status, seconds, bytes);
    logRequest(log, request, status, failure, seconds);
  };
  return (request, response) => {
    if (isStreamBody(response.body)) {
      return observedStream(response, response.body, metrics.longRunning(request), () =>
        finish(request, response, 0),
      );
    }
    finish(request, response, byteLength(response.body));
    return response;
  };
}

function observedStream(
  response: ApiResponse,
  body: StreamBody,
  running: { value: number },
  finish: () => void,
): ApiResponse {
  const start: StreamBody['start'] = (sink) => {
    running.value++;
    const stop = body.start(sink);
    return () => {
      running.value--;
      finish();
      stop();
    };
  };
  return { ...response, body: { start } };
}

function byteLength(body: Exclude<ResponseBody, StreamBody>): number {
  if (body === undefined) return 0;
  return body instanceof Uint8Array ? body.byteLength : body.reduce((sum, part) => sum + part.byteLength, 0);
}

/** Of a client that leaves in mid-request no answer is a failure of ours; a deadline that passes may be. */
const hasLeft = ({ signal }: ApiRequest): boolean => signal.aborted && !(signal.reason instanceof ApiError);

function logRequest(
  log: Log,
  request: ApiRequest,
  status: number,
  failure: string | undefined,
  seconds: number,
): void {
  const level =
    status >= 500 && !hasLeft(request)
      ? 'error'
      : seconds >= SLOW_SECONDS && request.info.verb !== 'watch'
        ? 'info'
        : 'debug';
  if (!log.isLevelEnabled(level)) return;
  const fields = {
    requestId: request.id,
    method: request.method,
    path: request.path,
    verb: request.info.verb || request.info.nonResourceVerb,
    status,
    ...(failure !== undefined && { reason: failure }),
    durationMs: Math.round(seconds * 1e5) / 100,
    user: request.user.name,
    remoteAddress: request.remoteAddress,
    userAgent: request.headers['user-agent'],
  };
  log[level](fields, 'request');
}
