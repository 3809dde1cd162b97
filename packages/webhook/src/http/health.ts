// /healthz, /livez, /readyz and /metrics, for kubelets and Prometheus. They never require a client
// certificate.
import type { MetricsRegistry } from '@instar/serving';
import { type HostAnswer, textAnswer } from './answer.ts';

export interface HealthSources {
  /** Why the host is not ready; undefined if it is. */
  notReady(): string | undefined;
  readonly metrics: MetricsRegistry;
}

export function healthAnswer(path: string, { notReady, metrics }: HealthSources): HostAnswer | undefined {
  switch (path) {
    case '/healthz':
    case '/livez':
      return textAnswer(200, 'ok');
    case '/readyz': {
      const why = notReady();
      return why === undefined ? textAnswer(200, 'ok') : textAnswer(503, `not ready: ${why}\n`);
    }
    case '/metrics':
      return textAnswer(200, metrics.print());
    default:
      return undefined;
  }
}

export const HEALTH_PATHS: readonly string[] = ['/healthz', '/livez', '/readyz', '/metrics'];
