// Gives each request its seats at its priority level, or lets it wait in a queue of its flow. A watch gives
// its seats back when it has sent what was there before. Before authorization, as upstream: what is refused
// costs, too.
import { type ApiError, apiErrors } from '@instar/machinery';
import {
  type ApiRequest,
  type ApiResponse,
  type Filter,
  type Handler,
  isStreamBody,
} from '../../wire/exchange.ts';
import type { Flow, Rejection } from '../fairness/flow.ts';
import type { FlowControl } from '../fairness/flow-control.ts';
import type { CompiledSchema } from '../fairness/flow-schemas.ts';
import type { Seated } from '../fairness/level-queues.ts';
import type { RequestMetrics } from '../metrics/request-metrics.ts';
import { timeoutMsOf } from './deadline.ts';
import { inFlightCounter, releasedAtEnd } from './in-flight.ts';

/** The part of its time that a request may wait; as upstream. */
const LONGEST_WAIT = 1 / 4;

export function fairnessFilter(
  control: FlowControl,
  requestTimeoutMs: number,
  metrics?: RequestMetrics,
): Filter {
  const count = inFlightCounter(metrics);

  const execute = (request: ApiRequest, next: Handler, schema: CompiledSchema, seated: Seated) => {
    const leave = count(request.info);
    let isSeated = true;
    const finish = (): void => {
      if (!isSeated) return;
      isSeated = false;
      leave();
      const { metrics: flow, level } = schema;
      const durations = request.info.verb === 'watch' ? flow.watchInitialization : flow.execution;
      durations.observe(control.now() - seated.since);
      level.queues.finish(seated);
    };
    if (request.info.verb === 'watch') request.onWatchBegun = finish;
    return finished(() => next(request), finish);
  };

  const wait = async (
    request: ApiRequest,
    next: Handler,
    schema: CompiledSchema,
    flow: Flow,
    seats: number,
  ) => {
    const longest = timeoutMsOf(request, requestTimeoutMs) * LONGEST_WAIT;
    const outcome = await waitForSeats(request, schema, flow, seats, longest);
    if (typeof outcome !== 'string') return execute(request, next, schema, outcome);
    throw refusal(schema, outcome, control.now());
  };

  return (request, next) => {
    const schema = control.classify(request);
    const { level } = schema;
    request.priority = { schemaUid: schema.uid, levelUid: level.uid };
    const seats = control.seatsOf(request, level);
    const flow = schema.flowOf(request);
    schema.metrics.estimatedSeats.observe(seats);
    const seated = level.queues.tryStart(flow, seats);
    return seated === undefined
      ? wait(request, next, schema, flow, seats)
      : execute(request, next, schema, seated);
  };
}

/** Calls `finish` when there is a response, or at the end of its stream. */
function finished(answer: () => Promise<ApiResponse>, finish: () => void): Promise<ApiResponse> {
  let answered: Promise<ApiResponse>;
  try {
    answered = answer();
  } catch (error) {
    finish();
    throw error;
  }
  return answered.then(
    (response) => {
      if (isStreamBody(response.body)) return releasedAtEnd(response, response.body, finish);
      finish();
      return response;
    },
    (error: unknown) => {
      finish();
      throw error;
    },
  );
}

async function waitForSeats(
  request: ApiRequest,
  { level }: CompiledSchema,
  flow: Flow,
  seats: number,
  longestMs: number,
): Promise<Seated | Rejection> {
  let timer: NodeJS.Timeout | undefined;
  let cancel: (() => void) | undefined;
  const outcome = await level.queues.wait(flow, seats, (end) => {
    timer = setTimeout(() => end('time-out'), longestMs);
    cancel = () => end('cancelled');
    request.signal.addEventListener('abort', cancel);
  });
  clearTimeout(timer);
  if (cancel !== undefined) request.signal.removeEventListener('abort', cancel);
  return outcome;
}

const REASONS: Readonly<Record<Rejection, string>> = {
  'queue-full': 'the queues of this flow are full',
  'concurrency-limit': 'all seats of the level are taken, and it has no queues',
  'time-out': 'no seat of the level became free in time',
  cancelled: 'the client has disconnected',
};

/** Upstream answers with the first sentence only, as text, which kubectl does not show. */
function refusal({ name, level }: CompiledSchema, why: Rejection, now: number): ApiError {
  level.retryAfter.refused(now);
  return apiErrors.tooManyRequests(
    `Too many requests, please try again later. (${why}: ${REASONS[why]}; ` +
      `flow schema "${name}", priority level "${level.name}")`,
    level.retryAfter.seconds,
  );
}
