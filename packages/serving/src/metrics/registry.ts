// Counters, gauges and histograms with labels, printed as Prometheus text. Small on purpose: a series is an
// object that callers keep and increment.

/** Beyond this many label sets a metric collapses further ones into a single series labeled "other". */
const MAX_SERIES = 5000;

type MetricType = 'counter' | 'gauge' | 'histogram';

/** The value of a metric for one set of label values. */
export interface Series {
  value: number;
}

/** A histogram for one set of label values. */
export interface HistogramSeries {
  readonly counts: Float64Array;
  sum: number;
  observe(value: number): void;
}

interface Labeled<S> {
  /** The series of these label values, in the order of the metric's label names. */
  with(...values: string[]): S;
}

/** A metric that only increases, by labels. */
export type Counter = Labeled<Series>;

/** A metric that goes up and down, by labels. */
export type Gauge = Labeled<Series>;

/** A metric that counts observations in buckets, by labels. */
export type Histogram = Labeled<HistogramSeries>;

interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  print(lines: string[]): void;
}

/** The metrics of a process, printed in the text format of Prometheus. */
export class MetricsRegistry {
  readonly #families: Family[] = [];
  readonly #collectors: (() => void)[] = [];

  counter(name: string, help: string, labels: readonly string[] = []): Counter {
    return this.#values(name, help, 'counter', labels);
  }

  gauge(name: string, help: string, labels: readonly string[] = []): Gauge {
    return this.#values(name, help, 'gauge', labels);
  }

  histogram(
    name: string,
    help: string,
    buckets: readonly number[],
    labels: readonly string[] = [],
  ): Histogram {
    const family = new SeriesMap(labels, () => new BucketSeries(buckets));
    const bounds = [...buckets.map(String), '+Inf'];
    const print = (lines: string[]): void => {
      for (const [text, series] of family.all()) printHistogram(lines, name, text, bounds, series);
    };
    this.#families.push({ name, help, type: 'histogram', print });
    return family;
  }

  /** Called before each scrape, to update gauges. */
  onCollect(collect: () => void): void {
    this.#collectors.push(collect);
  }

  print(): string {
    for (const collect of this.#collectors) collect();
    const lines: string[] = [];
    for (const family of this.#families) {
      lines.push(`# HELP ${family.name} ${family.help}`, `# TYPE ${family.name} ${family.type}`);
      family.print(lines);
    }
    return `${lines.join('\n')}\n`;
  }

  #values(name: string, help: string, type: MetricType, labels: readonly string[]): Labeled<Series> {
    const family = new SeriesMap<Series>(labels, () => ({ value: 0 }));
    const print = (lines: string[]): void => {
      for (const [text, series] of family.all())
        lines.push(`${name}${text === '' ? '' : `{${text}}`} ${series.value}`);
    };
    this.#families.push({ name, help, type, print });
    return family;
  }
}

/** Series by their labels as printed: the text is built once per series. */
class SeriesMap<S> implements Labeled<S> {
  readonly #labels: readonly string[];
  readonly #make: () => S;
  readonly #series = new Map<string, S>();

  constructor(labels: readonly string[], make: () => S) {
    this.#labels = labels;
    this.#make = make;
  }

  with(...values: string[]): S {
    const text = this.#text(values);
    const known = this.#series.get(text);
    if (known !== undefined) return known;
    const isFull = this.#series.size >= MAX_SERIES;
    const key = isFull ? this.#text(this.#labels.map(() => 'other')) : text;
    const series = this.#series.get(key) ?? this.#make();
    this.#series.set(key, series);
    return series;
  }

  all(): Iterable<[string, S]> {
    return this.#series;
  }

  #text(values: readonly string[]): string {
    return this.#labels.map((label, index) => `${label}="${escaped(values[index] ?? '')}"`).join(',');
  }
}

const escaped = (value: string): string =>
  /[\\"\n]/.test(value)
    ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
    : value;

class BucketSeries implements HistogramSeries {
  readonly counts: Float64Array;
  sum = 0;
  readonly #bounds: readonly number[];

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    let index = 0;
    while (index < this.#bounds.length && value > this.#bounds[index]!) index++;
    this.counts[index]!++;
    this.sum += value;
  }
}

function printHistogram(
  lines: string[],
  name: string,
  labels: string,
  bounds: readonly string[],
  series: HistogramSeries,
): void {
  const before = labels === '' ? '' : `${labels},`;
  const braces = labels === '' ? '' : `{${labels}}`;
  let count = 0;
  for (let index = 0; index < bounds.length; index++) {
    count += series.counts[index]!;
    lines.push(`${name}_bucket{${before}le="${bounds[index]}"} ${count}`);
  }
  lines.push(`${name}_sum${braces} ${series.sum}`, `${name}_count${braces} ${count}`);
}
