// The metrics of a host. They cost each review no more than a few additions.
import type { HistogramSeries, MetricsRegistry, Series } from '@instar/serving';
import type { ConversionCount, ReviewOutcome } from './review/webhook.ts';

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export class HostMetrics {
  readonly #requests;
  readonly #durations;
  readonly #objects;
  readonly #failures;
  readonly #expiry;
  readonly #injections;

  constructor(registry: MetricsRegistry, inFlight: () => number) {
    const name = (rest: string): string => `instar_webhook_${rest}`;
    this.#requests = registry.counter(name('requests_total'), 'Reviews answered.', [
      'path',
      'code',
      'outcome',
    ]);
    this.#durations = registry.histogram(
      name('request_duration_seconds'),
      'Time from the headers of a review to its answer.',
      SECONDS,
      ['path'],
    );
    this.#objects = registry.counter(name('converted_objects_total'), 'Objects converted.', [
      'kind',
      'from',
      'to',
    ]);
    this.#failures = registry.counter(
      name('conversion_failures_total'),
      'Objects that could not be converted.',
      ['kind', 'from', 'to'],
    );
    this.#expiry = registry.gauge(
      name('certificate_expiry_timestamp_seconds'),
      'When a certificate expires.',
      ['certificate'],
    );
    this.#injections = registry.counter(name('ca_injections_total'), 'Checks of a caBundle, by result.', [
      'target',
      'result',
    ]);
    const gauge = registry.gauge(name('requests_in_flight'), 'Reviews in flight.').with();
    registry.onCollect(() => {
      gauge.value = inFlight();
    });
  }

  ofPath(path: string): PathMetrics {
    return new PathMetrics(
      path,
      (code, outcome) => this.#requests.with(path, code, outcome),
      this.#durations.with(path),
    );
  }

  converted(counts: readonly ConversionCount[]): void {
    for (const { kind, from, to, isKnown, objects, failures } of counts) {
      const labels: [string, string, string] = isKnown ? [kind, from, to] : ['unknown', 'unknown', 'unknown'];
      if (objects > 0) this.#objects.with(...labels).value += objects;
      if (failures > 0) this.#failures.with(...labels).value += failures;
    }
  }

  expires(certificate: 'serving' | 'ca', at: number): void {
    this.#expiry.with(certificate).value = at / 1000;
  }

  injected(target: string, result: 'unchanged' | 'written' | 'failed'): void {
    this.#injections.with(target, result).value++;
  }
}

/** The outcome of a request that is refused before its webhook is called. */
export type Refusal = 'refused';

export class PathMetrics {
  readonly path: string;
  readonly #series: (code: string, outcome: string) => Series;
  readonly #duration: HistogramSeries;
  readonly #known = new Map<string, Series>();

  constructor(path: string, series: (code: string, outcome: string) => Series, duration: HistogramSeries) {
    this.path = path;
    this.#series = series;
    this.#duration = duration;
  }

  answered(status: number, outcome: ReviewOutcome | Refusal, milliseconds: number): void {
    const key = `${status}${outcome}`;
    let series = this.#known.get(key);
    if (series === undefined) this.#known.set(key, (series = this.#series(String(status), outcome)));
    series.value++;
    this.#duration.observe(milliseconds / 1000);
  }
}
