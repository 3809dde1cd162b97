// Metrics of what is stored in which version, read from the censuses when they are collected.
import type { MetricsRegistry, Series } from '@instar/serving';
import type { Censuses } from './censuses.ts';
import { crdNameOf } from './custom-definitions.ts';

const versionOf = (apiVersion: string): string => apiVersion.slice(apiVersion.indexOf('/') + 1);

export function addCensusMetrics(registry: MetricsRegistry, censuses: Censuses): void {
  const stored = registry.gauge(
    'instar_stored_objects',
    'Objects of a custom resource by the version in which they are stored.',
    ['crd_name', 'version'],
  );
  const managed = registry.gauge(
    'instar_managed_fields_objects',
    'Objects whose managedFields name the version.',
    ['crd_name', 'version'],
  );
  let shown: Series[] = [];
  registry.onCollect(() => {
    // A version in which nothing is stored any longer is still reported, as 0.
    for (const series of shown) series.value = 0;
    shown = [];
    const show = (series: Series, value: number): void => {
      series.value = value;
      shown.push(series);
    };
    for (const [resource, census] of censuses.soFar()) {
      const crd = crdNameOf(resource);
      for (const apiVersion of census.stored.keys())
        show(stored.with(crd, versionOf(apiVersion)), census.storedIn(apiVersion));
      for (const [apiVersion, objects] of census.managed)
        show(managed.with(crd, versionOf(apiVersion)), objects);
    }
  });
}
