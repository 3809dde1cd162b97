// Counts watches in kube-apiserver's metrics.
import type { Resource } from '../../objects/resource.ts';
import type { WatchCounter } from '../../objects/watch/watch-service.ts';
import type { WatchMetrics } from './watch-metrics.ts';

export function watchCounter(metrics: WatchMetrics): WatchCounter {
  const watchers = ({ definition }: Resource) =>
    metrics.watchers.with(definition.group, versionOf(definition.storageApiVersion), definition.names.kind);
  return {
    opened: (resource) => void watchers(resource).value++,
    closed: (resource) => void watchers(resource).value--,
    sent: ({ definition }, events) => {
      metrics.events.with(
        definition.group,
        versionOf(definition.storageApiVersion),
        definition.names.plural,
      ).value += events;
    },
    tooSlow: ({ definition }) =>
      void metrics.closedSlow.with(definition.group, definition.names.plural).value++,
  };
}

const versionOf = (apiVersion: string): string => apiVersion.slice(apiVersion.indexOf('/') + 1);
