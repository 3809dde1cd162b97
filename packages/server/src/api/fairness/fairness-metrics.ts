// kube-apiserver's metrics of priority and fairness, with its names and labels.
import type { MetricsRegistry } from '@instar/serving';
import type { FlowMetrics } from './flow.ts';
import type { Adjustment, Level } from './levels.ts';

const SECONDS = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];
const LENGTHS = [0, 10, 25, 50, 100, 250, 500, 1000];
const SEATS = [1, 2, 4, 8, 16, 32, 64, 100];
const LEVEL = 'priority_level';
const BOTH = [LEVEL, 'flow_schema'];

export interface FairnessMetrics {
  of(level: string, schema: string): FlowMetrics;
  limits(level: Level): void;
  adjusted(adjustment: Adjustment): void;
  /** The part of its target that every level has. */
  fraction(value: number): void;
}

export function createFairnessMetrics(registry: MetricsRegistry): FairnessMetrics {
  const named = (name: string): string => `apiserver_flowcontrol_${name}`;
  const counter = (name: string, help: string, labels: string[]) =>
    registry.counter(named(name), help, labels);
  const gauge = (name: string, help: string, labels = [LEVEL]) => registry.gauge(named(name), help, labels);
  const histogram = (name: string, help: string, buckets: readonly number[], labels = BOTH) =>
    registry.histogram(named(name), help, buckets, labels);
  const rejected = counter('rejected_requests_total', 'Requests that were refused.', [...BOTH, 'reason']);
  const dispatched = counter('dispatched_requests_total', 'Requests that were executed.', BOTH);
  const waiting = gauge('current_inqueue_requests', 'Requests that wait in queues.', BOTH);
  const waitingSeats = gauge('current_inqueue_seats', 'Seats that requests in queues wait for.', BOTH);
  const executing = gauge(
    'current_executing_requests',
    'Requests that are executed, watches until they have begun.',
    BOTH,
  );
  const seats = gauge('current_executing_seats', 'Seats of the requests that are executed.', BOTH);
  const length = histogram(
    'request_queue_length_after_enqueue',
    'Length of the queue that a request joined.',
    LENGTHS,
  );
  const wait = histogram('request_wait_duration_seconds', 'How long requests waited.', SECONDS, [
    ...BOTH,
    'execute',
  ]);
  const execution = histogram('request_execution_seconds', 'How long requests were executed.', SECONDS, [
    ...BOTH,
    'type',
  ]);
  const estimated = histogram('work_estimated_seats', 'Seats of each request.', SEATS);
  const nominal = gauge('nominal_limit_seats', 'Seats by configuration.');
  const lower = gauge('lower_limit_seats', 'The fewest seats that a level keeps when others borrow.');
  const upper = gauge('upper_limit_seats', 'The most seats that a level may have.');
  const current = gauge('current_limit_seats', 'Seats that a level has now.');
  const high = gauge('demand_seats_high_watermark', 'The most seats that were wanted in the last period.');
  const average = gauge('demand_seats_average', 'Seats that were wanted on average in the last period.');
  const deviation = gauge('demand_seats_stdev', 'Standard deviation of the seats wanted in the last period.');
  const smoothed = gauge('demand_seats_smoothed', 'Seats wanted, smoothed over periods.');
  const target = gauge('target_seats', 'Seats that a level should have.');
  const fraction = registry.gauge(named('seat_fair_frac'), 'The part of its target that every level has.');
  return {
    of: (level, schema) => ({
      rejected: (reason) => rejected.with(level, schema, reason),
      dispatched: dispatched.with(level, schema),
      executing: executing.with(level, schema),
      executingSeats: seats.with(level, schema),
      waiting: waiting.with(level, schema),
      waitingSeats: waitingSeats.with(level, schema),
      queueLength: length.with(level, schema),
      waitOfExecuted: wait.with(level, schema, 'true'),
      waitOfRejected: wait.with(level, schema, 'false'),
      execution: execution.with(level, schema, 'regular'),
      watchInitialization: execution.with(level, schema, 'watch'),
      estimatedSeats: estimated.with(level, schema),
    }),
    limits({ name, limits }) {
      nominal.with(name).value = limits.nominal;
      lower.with(name).value = limits.min;
      upper.with(name).value = limits.max;
    },
    adjusted(adjustment) {
      const { name } = adjustment.level;
      current.with(name).value = adjustment.current;
      high.with(name).value = adjustment.highWatermark;
      average.with(name).value = adjustment.average;
      deviation.with(name).value = adjustment.deviation;
      smoothed.with(name).value = adjustment.smoothed;
      target.with(name).value = adjustment.target;
    },
    fraction(value) {
      fraction.with().value = value;
    },
  };
}
