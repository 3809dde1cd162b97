import { MetricsRegistry } from '@instar/serving';
import { describe, expect, it } from 'vitest';
import { parseRequestInfo } from '../../wire/parse-request-info.ts';
import { requestWithoutSocket } from '../../wire/request-without-socket.ts';
import { createRequestMetrics } from './request-metrics.ts';

describe('the registry', () => {
  it('prints counters, gauges and histograms', () => {
    const registry = new MetricsRegistry();
    registry.counter('c_total', 'Counts.', ['a', 'b']).with('x', 'say "hi"\\\n').value += 3;
    registry.gauge('g', 'Measures.').with().value = 1.5;
    const histogram = registry.histogram('h', 'Spreads.', [1, 2], ['l']).with('v');
    for (const value of [0.5, 1, 1.5, 9]) histogram.observe(value);
    expect(registry.print()).toBe(
      `${[
        '# HELP c_total Counts.',
        '# TYPE c_total counter',
        'c_total{a="x",b="say \\"hi\\"\\\\\\n"} 3',
        '# HELP g Measures.',
        '# TYPE g gauge',
        'g 1.5',
        '# HELP h Spreads.',
        '# TYPE h histogram',
        'h_bucket{l="v",le="1"} 2',
        'h_bucket{l="v",le="2"} 3',
        'h_bucket{l="v",le="+Inf"} 4',
        'h_sum{l="v"} 12',
        'h_count{l="v"} 4',
      ].join('\n')}\n`,
    );
  });

  it('limits the number of series', () => {
    const registry = new MetricsRegistry();
    const counter = registry.counter('c', 'Counts.', ['l']);
    for (let index = 0; index < 6000; index++) counter.with(String(index)).value++;
    expect(counter.with('other').value).toBe(1000);
  });

  it('calls collectors before printing', () => {
    const registry = new MetricsRegistry();
    const gauge = registry.gauge('g', 'Measures.').with();
    registry.onCollect(() => (gauge.value = 7));
    expect(registry.print()).toContain('g 7\n');
  });
});

describe('metrics of requests', () => {
  const registry = new MetricsRegistry();
  const metrics = createRequestMetrics(registry, ({ resource }) => resource === 'pods');
  const finish = (method: string, url: string, headers = {}) => {
    const request = requestWithoutSocket(method, url, { headers });
    request.info = parseRequestInfo(method, request.path, () => request.query);
    metrics.finished(request, 200, 0.01, 100);
  };

  it.each([
    [
      'GET',
      '/api/v1/pods?watch=1',
      'verb="WATCH",dry_run="",group="",version="v1",resource="pods",subresource="",scope="cluster"',
    ],
    [
      'DELETE',
      '/api/v1/namespaces/a/pods',
      'verb="DELETECOLLECTION",dry_run="",group="",version="v1",resource="pods",subresource="",scope="namespace"',
    ],
    [
      'HEAD',
      '/api/v1/namespaces/a/pods/p',
      'verb="GET",dry_run="",group="",version="v1",resource="pods",subresource="",scope="resource"',
    ],
    [
      'POST',
      '/api/v1/namespaces/a/pods?dryRun=All',
      'verb="POST",dry_run="All",group="",version="v1",resource="pods",subresource="",scope="resource"',
    ],
    [
      'PUT',
      '/api/v1/namespaces/a/pods/p/made-up',
      'verb="PUT",dry_run="",group="",version="v1",resource="pods",subresource="other",scope="resource"',
    ],
    [
      'BREW',
      '/api/v1/namespaces/a/pods/p',
      'verb="other",dry_run="",group="",version="v1",resource="pods",subresource="",scope="resource"',
    ],
    [
      'GET',
      '/apis/made/up/things',
      'verb="LIST",dry_run="",group="other",version="other",resource="other",subresource="",scope=""',
    ],
  ])('have the labels of %s %s', (method, url, labels) => {
    finish(method, url);
    expect(registry.print()).toContain(
      `apiserver_request_total{${labels},component="apiserver",code="200"} 1`,
    );
  });

  it('distinguish apply from patch', () => {
    finish('PATCH', '/api/v1/namespaces/a/pods/p', { 'content-type': 'application/apply-patch+yaml' });
    expect(registry.print()).toContain('apiserver_request_total{verb="APPLY"');
  });
});
