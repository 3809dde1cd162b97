// /metrics/slis: the results of the health checks, as Kubernetes' component SLIs.
import { MetricsRegistry } from '@instar/serving';
import type { Handler } from '../../wire/exchange.ts';
import { metricsHandler } from '../metrics/metrics-handler.ts';

export class HealthSlis {
  readonly #registry = new MetricsRegistry();
  readonly #last = this.#registry.gauge(
    'kubernetes_healthcheck',
    '[STABLE] This metric records the result of a single healthcheck.',
    ['name', 'type'],
  );
  readonly #total = this.#registry.counter(
    'kubernetes_healthchecks_total',
    '[STABLE] This metric records the results of all healthcheck.',
    ['name', 'status', 'type'],
  );

  /** `type` is the endpoint that ran the check. */
  observe(name: string, type: string, isOk: boolean): void {
    this.#last.with(name, type).value = isOk ? 1 : 0;
    this.#total.with(name, isOk ? 'success' : 'error', type).value++;
  }

  get handler(): Handler {
    return metricsHandler(this.#registry);
  }
}
