// kube-apiserver's metrics of watches.
import type { Counter, Gauge, MetricsRegistry } from '@instar/serving';

export interface WatchMetrics {
  /** apiserver_watch_events_total by group, version, resource. */
  readonly events: Counter;
  /** apiserver_registered_watchers by group, version, kind. */
  readonly watchers: Gauge;
  /** Watchers that were disconnected because they could not keep up, by group and resource. */
  readonly closedSlow: Counter;
}

export function createWatchMetrics(registry: MetricsRegistry): WatchMetrics {
  return {
    events: registry.counter('apiserver_watch_events_total', 'Number of events sent in watch clients.', [
      'group',
      'version',
      'resource',
    ]),
    watchers: registry.gauge(
      'apiserver_registered_watchers',
      'Number of currently registered watchers for a given resource.',
      ['group', 'version', 'kind'],
    ),
    closedSlow: registry.counter(
      'apiserver_terminated_watchers_total',
      'Watchers closed because their client read too slowly.',
      ['group', 'resource'],
    ),
  };
}
