// What is counted for the requests of one flow schema at one level, and a flow: those of its requests that
// share a user or namespace.
import type { HistogramSeries, Series } from '@instar/serving';

/** Why a request was not executed, in the words of upstream's metric. */
export type Rejection = 'queue-full' | 'concurrency-limit' | 'time-out' | 'cancelled';

/** The series of a flow schema, labeled with it and its level. */
export interface FlowMetrics {
  readonly dispatched: Series;
  readonly executing: Series;
  readonly executingSeats: Series;
  readonly waiting: Series;
  readonly waitingSeats: Series;
  readonly queueLength: HistogramSeries;
  readonly waitOfExecuted: HistogramSeries;
  readonly waitOfRejected: HistogramSeries;
  readonly execution: HistogramSeries;
  readonly watchInitialization: HistogramSeries;
  readonly estimatedSeats: HistogramSeries;
  rejected(reason: Rejection): Series;
}

export interface Flow {
  readonly metrics: FlowMetrics;
  /** The name of the flow schema. */
  readonly schema: string;
  /** What tells the flows of a schema apart. */
  readonly distinguisher: string;
  /** The queues that it may use. */
  readonly hand: readonly number[];
}
