// The metrics of one server. Each has its own registry, so that servers in one process do not mix.

import { addProcessMetrics, MetricsRegistry } from '@instar/serving';
import { type AdmissionMetrics, createAdmissionMetrics } from './admission-metrics.ts';
import { type AuditMetrics, createAuditMetrics } from './audit-metrics.ts';
import { type ConversionMetrics, createConversionMetrics } from './conversion-metrics.ts';
import { createRequestMetrics, type IsKnownResource, type RequestMetrics } from './request-metrics.ts';
import { createWatchMetrics, type WatchMetrics } from './watch-metrics.ts';

export interface ServerMetrics {
  readonly registry: MetricsRegistry;
  readonly requests: RequestMetrics;
  readonly watches: WatchMetrics;
  readonly conversions: ConversionMetrics;
  readonly admission: AdmissionMetrics;
  readonly audit: AuditMetrics;
  stop(): void;
}

export function createServerMetrics(isKnown: IsKnownResource = () => true): ServerMetrics {
  const registry = new MetricsRegistry();
  const requests = createRequestMetrics(registry, isKnown);
  const watches = createWatchMetrics(registry);
  const conversions = createConversionMetrics(registry);
  const admission = createAdmissionMetrics(registry);
  const audit = createAuditMetrics(registry);
  const { stop } = addProcessMetrics(registry);
  return { registry, requests, watches, conversions, admission, audit, stop };
}
