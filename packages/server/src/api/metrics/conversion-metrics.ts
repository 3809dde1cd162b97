// kube-apiserver's metrics of conversion webhooks, and those that KEP-598 requires: by webhook, by
// definition, by request; failures and timeouts.
import type { Counter, Histogram, MetricsRegistry } from '@instar/serving';

export interface ConversionMetrics {
  /** By crd_name, from_version, to_version, succeeded. */
  readonly crdDuration: Histogram;
  /** By result and failure_type. */
  readonly requests: Counter;
  readonly duration: Histogram;
  /** By webhook and crd_name. */
  readonly webhookDuration: Histogram;
  /** By webhook, crd_name and failure. */
  readonly failures: Counter;
  /** By webhook and crd_name. */
  readonly timeouts: Counter;
  /** By webhook and crd_name. */
  readonly shortCircuited: Counter;
  /** By crd_name. */
  readonly objects: Counter;
  /** By crd_name: all conversions of one request together. */
  readonly perRequest: Histogram;
}

/** 1 ms to 16 s, each twice the one before. */
const CRD_BUCKETS = Array.from({ length: 15 }, (_, i) => 0.001 * 2 ** i);
const BUCKETS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 45, 60];

export function createConversionMetrics(registry: MetricsRegistry): ConversionMetrics {
  const byResult = ['result', 'failure_type'];
  const byWebhook = ['webhook', 'crd_name'];
  return {
    crdDuration: registry.histogram(
      'apiserver_crd_conversion_webhook_duration_seconds',
      'CRD webhook conversion duration in seconds',
      CRD_BUCKETS,
      ['crd_name', 'from_version', 'to_version', 'succeeded'],
    ),
    requests: registry.counter(
      'apiserver_conversion_webhook_request_total',
      'Counter for conversion webhook requests with success/failure and failure error type',
      byResult,
    ),
    duration: registry.histogram(
      'apiserver_conversion_webhook_duration_seconds',
      'Conversion webhook request latency',
      BUCKETS,
      byResult,
    ),
    webhookDuration: registry.histogram(
      'instar_conversion_webhook_duration_seconds',
      'Duration of conversion calls, by webhook.',
      BUCKETS,
      byWebhook,
    ),
    failures: registry.counter(
      'instar_conversion_failures_total',
      'Conversion calls that failed, by webhook and type of failure.',
      [...byWebhook, 'failure'],
    ),
    timeouts: registry.counter(
      'instar_conversion_timeouts_total',
      'Conversion calls that timed out, by webhook.',
      byWebhook,
    ),
    shortCircuited: registry.counter(
      'instar_conversion_calls_spared_total',
      'Conversion calls that were short-circuited by the open circuit breaker, by webhook.',
      byWebhook,
    ),
    objects: registry.counter('instar_converted_objects_total', 'Objects that webhooks have converted.', [
      'crd_name',
    ]),
    perRequest: registry.histogram(
      'instar_conversion_request_duration_seconds',
      'Time that a request has waited for all its conversions together.',
      BUCKETS,
      ['crd_name'],
    ),
  };
}
