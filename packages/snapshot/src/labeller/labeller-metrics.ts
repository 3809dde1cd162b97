// The labeller's metrics.
import type { MetricsRegistry } from '@instar/serving';

export class LabellerMetrics {
  readonly #invalid;
  readonly #changes;
  readonly #failures;
  readonly #leading;

  constructor(registry: MetricsRegistry) {
    this.#invalid = registry.gauge(
      'instar_snapshot_invalid_objects',
      'Objects that fail strict validation.',
      ['resource'],
    );
    this.#changes = registry.counter('instar_snapshot_label_changes_total', 'Labels added or removed.', [
      'resource',
      'action',
    ]);
    this.#failures = registry.counter(
      'instar_snapshot_label_failures_total',
      'Objects whose label could not be written; each is retried.',
      ['resource'],
    );
    this.#leading = registry
      .gauge('instar_snapshot_labeller_leading', '1 while this process is the leader.')
      .with();
  }

  invalid(resource: string, count: number): void {
    this.#invalid.with(resource).value = count;
  }

  changed(resource: string, action: 'add' | 'remove'): void {
    this.#changes.with(resource, action).value++;
  }

  failed(resource: string): void {
    this.#failures.with(resource).value++;
  }

  leads(leading: boolean): void {
    this.#leading.value = leading ? 1 : 0;
  }
}
