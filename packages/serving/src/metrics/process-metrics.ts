// Metrics of the process, read when scraped. The event loop is monitored from the first scrape on, so that a
// server that is not scraped pays nothing.
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { MetricsRegistry } from './registry.ts';

const NANOSECONDS = 1e9;

/** Adds the metrics of the process: memory, CPU, event loop. */
export function addProcessMetrics(registry: MetricsRegistry): { stop(): void } {
  const gauge = (name: string, help: string) => registry.gauge(name, help).with();
  const cpu = registry
    .counter('process_cpu_seconds_total', 'Total user and system CPU time spent in seconds.')
    .with();
  const memory = gauge('process_resident_memory_bytes', 'Resident memory size in bytes.');
  const heap = gauge('nodejs_heap_size_used_bytes', 'Used size of the heap in bytes.');
  const start = gauge('process_start_time_seconds', 'Start time of the process since unix epoch in seconds.');
  const lag = registry.gauge(
    'nodejs_eventloop_lag_seconds',
    'Delay of the event loop since the last scrape.',
    ['quantile'],
  );
  let delay: IntervalHistogram | undefined;
  start.value = Date.now() / 1000 - process.uptime();
  registry.onCollect(() => {
    const { user, system } = process.cpuUsage();
    cpu.value = (user + system) / 1e6;
    memory.value = process.memoryUsage.rss();
    heap.value = process.memoryUsage().heapUsed;
    delay ??= loopDelay();
    for (const quantile of [0.5, 0.9, 0.99])
      lag.with(String(quantile)).value = delay.percentile(quantile * 100) / NANOSECONDS;
    delay.reset();
  });
  return { stop: () => delay?.disable() };
}

function loopDelay(): IntervalHistogram {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  return delay;
}
