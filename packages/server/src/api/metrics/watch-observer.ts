// Watches in the terms of kube-apiserver's metrics.
import type { Resource } from '../../objects/resource.ts';
import type { WatchMetrics } from '../../objects/watch/watch-service.ts';
import type { WatchMetrics as Figures } from './watch-metrics.ts';

export function watchMetricsOf(figures: Figures): WatchMetrics {
  const watchers = ({ definition }: Resource) =>
    figures.watchers.with(definition.group, versionOf(definition.storageApiVersion), definition.names.kind);
  return {
    opened: (resource) => void watchers(resource).value++,
    closed: (resource) => void watchers(resource).value--,
    sent: ({ definition }, events) => {
      figures.events.with(
        definition.group,
        versionOf(definition.storageApiVersion),
        definition.names.plural,
      ).value += events;
    },
    tooSlow: ({ definition }) =>
      void figures.closedSlow.with(definition.group, definition.names.plural).value++,
  };
}

const versionOf = (apiVersion: string): string => apiVersion.slice(apiVersion.indexOf('/') + 1);
