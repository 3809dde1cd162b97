// kube-apiserver's metrics of requests, with its names and labels.

import type { HistogramSeries, MetricsRegistry, Series } from '@instar/serving';
import type { ApiRequest } from '../../wire/exchange.ts';
import type { RequestInfo } from '../../wire/request-info.ts';

const DURATION_BUCKETS = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];
const SIZE_BUCKETS = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];
const MAX_CACHED_SERIES = 10_000;
const RESOURCE_LABELS = ['group', 'version', 'resource', 'subresource', 'scope', 'component'];

/**
 * True if the server has the resource of a request. Requests for others are counted together, so that guessed
 * names create no series.
 */
export type IsKnownResource = (info: RequestInfo) => boolean;

interface FinishedSeries {
  readonly total: Series;
  readonly duration: HistogramSeries;
  readonly size: HistogramSeries;
}

export interface RequestMetrics {
  finished(request: ApiRequest, code: number, seconds: number, bytes: number): void;
  /** The gauge to increment while a watch is open. */
  longRunning(request: ApiRequest): Series;
  inFlight(requestClass: 'readOnly' | 'mutating', count: number): void;
}

export function createRequestMetrics(registry: MetricsRegistry, isKnown: IsKnownResource): RequestMetrics {
  const total = registry.counter(
    'apiserver_request_total',
    'Counter of apiserver requests by verb, dry run, group, version, resource, subresource, scope, component and response code.',
    ['verb', 'dry_run', ...RESOURCE_LABELS, 'code'],
  );
  const duration = registry.histogram(
    'apiserver_request_duration_seconds',
    'Response latency in seconds by verb, dry run, group, version, resource, subresource, scope and component.',
    DURATION_BUCKETS,
    ['verb', 'dry_run', ...RESOURCE_LABELS],
  );
  const size = registry.histogram('apiserver_response_sizes', 'Response size in bytes.', SIZE_BUCKETS, [
    'verb',
    ...RESOURCE_LABELS,
  ]);
  const longRunning = registry.gauge('apiserver_longrunning_requests', 'Long-running requests in flight.', [
    'verb',
    ...RESOURCE_LABELS,
  ]);
  const inFlight = registry.gauge(
    'apiserver_current_inflight_requests',
    'Requests in flight, by request kind.',
    ['request_kind'],
  );
  const inFlightSeries = { readOnly: inFlight.with('readOnly'), mutating: inFlight.with('mutating') };
  const make = (verb: string, dryRun: string, about: readonly string[], code: string): FinishedSeries => ({
    total: total.with(verb, dryRun, ...about, code),
    duration: duration.with(verb, dryRun, ...about),
    size: size.with(verb, ...about),
  });
  const cache = new Map<string, FinishedSeries>();
  return {
    finished(request, code, seconds, bytes) {
      const verb = verbLabel(request);
      const dryRun = request.rawQuery.includes('dryRun=All') ? 'All' : '';
      const { group, version, resource, subresource } = request.info;
      const key = `${verb} ${dryRun} ${group}/${version}/${resource}/${subresource} ${scopeOf(request.info)} ${code}`;
      let series = cache.get(key);
      if (series === undefined) {
        series = make(verb, dryRun, resourceLabels(request.info, isKnown), String(code));
        // Names that clients invent are not cached: they would fill the memory.
        if (cache.size < MAX_CACHED_SERIES && isCountable(request.info, isKnown)) cache.set(key, series);
      }
      series.total.value++;
      series.duration.observe(seconds);
      series.size.observe(bytes);
    },
    longRunning: (request) => longRunning.with(verbLabel(request), ...resourceLabels(request.info, isKnown)),
    inFlight(requestClass, count) {
      inFlightSeries[requestClass].value = count;
    },
  };
}

/** Clients can put any name in that segment of a path. */
const SUBRESOURCES: ReadonlySet<string> = new Set([
  ...['', 'status', 'scale', 'finalize', 'approval', 'token', 'attach', 'binding', 'ephemeralcontainers'],
  ...['eviction', 'exec', 'log', 'portforward', 'proxy', 'resize'],
]);

function resourceLabels(info: RequestInfo, isKnown: IsKnownResource): string[] {
  if (!info.isResourceRequest) return ['', '', '', '', '', 'apiserver'];
  if (!isKnown(info)) return ['other', 'other', 'other', '', '', 'apiserver'];
  const subresource = SUBRESOURCES.has(info.subresource) ? info.subresource : 'other';
  return [info.group, info.version, info.resource, subresource, scopeOf(info), 'apiserver'];
}

function isCountable(info: RequestInfo, isKnown: IsKnownResource): boolean {
  return !info.isResourceRequest || (SUBRESOURCES.has(info.subresource) && isKnown(info));
}

function scopeOf(info: RequestInfo): string {
  if (!info.isResourceRequest) return '';
  if (info.name !== '' || info.verb === 'create') return 'resource';
  return info.namespace === '' ? 'cluster' : 'namespace';
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
const CONTENT_TYPE_OF_APPLY = 'application/apply-patch';

function verbLabel({ method, info, headers }: ApiRequest): string {
  if (info.verb === 'list' || info.verb === 'watch' || info.verb === 'deletecollection')
    return info.verb.toUpperCase();
  if (method === 'HEAD') return 'GET';
  if (method === 'PATCH' && headers['content-type']?.includes(CONTENT_TYPE_OF_APPLY)) return 'APPLY';
  return METHODS.has(method) ? method : 'other';
}
