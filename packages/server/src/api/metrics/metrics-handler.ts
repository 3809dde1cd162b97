import type { MetricsRegistry } from '@instar/serving';
import type { Handler } from '../../wire/exchange.ts';

const encoder = new TextEncoder();

/** Answers /metrics. */
export function metricsHandler(registry: MetricsRegistry): Handler {
  return async () => ({
    status: 200,
    headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores' },
    body: encoder.encode(registry.print()),
  });
}
