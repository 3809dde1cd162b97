import { MetricsRegistry, SILENT } from '@instar/serving';
import { eventually, settled } from '@instar/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createConversionMetrics } from '../../api/metrics/conversion-metrics.ts';
import { type Json, TestApi } from '../../testing/test-api.ts';
import { Converters } from './converters.ts';
import { CrdController } from './crd-controller.ts';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
let api: TestApi;
let controller: CrdController;

beforeEach(async () => {
  api = await TestApi.start();
  const converters = new Converters({} as never, createConversionMetrics(new MetricsRegistry()));
  controller = new CrdController(
    api.registry,
    api.resource('apiextensions.k8s.io', 'customresourcedefinitions'),
    converters,
    SILENT,
  );
});
afterEach(async () => {
  await controller.stop();
  await api.close();
});

const definition = (plural: string, kind: string, properties: Json = {}, more: Json = {}) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.example.com` },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural, kind },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties } },
        ...more,
      },
    ],
  },
});
const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets';
const widget = (name: string, more = {}) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, ...more },
});
const condition = async (name: string, type: string) =>
  (await api.ok('GET', `${CRDS}/${name}`)).status.conditions?.find((found: Json) => found.type === type);
const served = (path = WIDGETS) =>
  eventually(`${path} to be served`, async () => (await api.call('GET', path)).status === 200);
const unserved = (path = WIDGETS) =>
  eventually(`${path} not to be served`, async () => (await api.call('GET', path)).status === 404);

describe('a definition', () => {
  it('is established and served', async () => {
    await controller.start();
    await api.ok('POST', CRDS, definition('widgets', 'Widget'));
    await served();
    expect(await condition('widgets.example.com', 'Established')).toMatchObject({
      status: 'True',
      reason: 'InitialNamesAccepted',
    });
    expect((await api.ok('POST', WIDGETS, widget('a'))).metadata.generation).toBe(1);
  });

  it('that was stored before is served from the start', async () => {
    await controller.start();
    await api.ok('POST', CRDS, definition('widgets', 'Widget'));
    await served();
    await controller.stop();
    api.registry.remove('example.com', 'widgets');
    const converters = new Converters({} as never, createConversionMetrics(new MetricsRegistry()));
    controller = new CrdController(
      api.registry,
      api.resource('apiextensions.k8s.io', 'customresourcedefinitions'),
      converters,
      SILENT,
    );
    await controller.start();
    expect((await api.call('GET', WIDGETS)).status).toBe(200);
  });

  it('does not get a kind that another has, until that one is deleted', async () => {
    await controller.start();
    await api.ok('POST', CRDS, definition('widgets', 'Widget'));
    await served();
    await api.ok('POST', CRDS, definition('gadgets', 'Widget'));
    await eventually('the condition NamesAccepted', () => condition('gadgets.example.com', 'NamesAccepted'));
    expect(await condition('gadgets.example.com', 'NamesAccepted')).toMatchObject({ status: 'False' });
    await api.ok('DELETE', `${CRDS}/widgets.example.com`);
    await served('/apis/example.com/v1/namespaces/default/gadgets');
  });

  it('that changes shows in objects immediately, even in those that are watched', async () => {
    await controller.start();
    await api.ok('POST', CRDS, definition('widgets', 'Widget', { old: { type: 'string' } }));
    await served();
    const sink = await api.watch(`${WIDGETS}?watch=true`);
    await api.ok('PATCH', `${CRDS}/widgets.example.com`, {
      spec: definition('widgets', 'Widget', { added: { type: 'string', default: 'x' } }).spec,
    });
    await eventually(
      'the new default',
      async () => (await api.call('POST', `${WIDGETS}?dryRun=All`, widget('a'))).body.added === 'x',
    );
    expect((await api.ok('POST', WIDGETS, widget('a'))).added).toBe('x');
    expect((await api.ok('GET', `${WIDGETS}/a`)).added).toBe('x');
    expect(sink.ended).toBe(true);
  });

  it('that changes ends its watches even without an event', async () => {
    await controller.start();
    await api.ok('POST', CRDS, definition('widgets', 'Widget'));
    await served();
    const sink = await api.watch(`${WIDGETS}?watch=true`);
    await api.ok('PATCH', `${CRDS}/widgets.example.com`, { spec: { names: { shortNames: ['wi'] } } });
    await eventually('the watch to end', () => sink.ended);
  });

  it('that changes makes a client that listed before list again', async () => {
    await controller.start();
    await api.ok('POST', CRDS, definition('widgets', 'Widget'));
    await served();
    const { resourceVersion } = (await api.ok('GET', WIDGETS)).metadata;
    const before = await api.watch(`${WIDGETS}?watch=true&resourceVersion=${resourceVersion}`);
    const added = definition('widgets', 'Widget', { added: { type: 'string', default: 'x' } });
    await api.ok('PATCH', `${CRDS}/widgets.example.com`, { spec: added.spec });
    await eventually('the watch to end', () => before.ended);
    const again = await api.watch(`${WIDGETS}?watch=true&resourceVersion=${resourceVersion}`);
    await eventually('an error', () => again.events.length > 0);
    expect(again.events[0]).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
    const listed = (await api.ok('GET', WIDGETS)).metadata.resourceVersion;
    const after = await api.watch(`${WIDGETS}?watch=true&resourceVersion=${listed}`);
    await api.ok('POST', WIDGETS, widget('a'));
    await eventually('the new object', () => after.events.length > 0);
    expect(after.events[0]).toMatchObject({ type: 'ADDED', object: { added: 'x' } });
  });

  it('that changes in status and metadata only leaves its watches open', async () => {
    await controller.start();
    await api.ok('POST', CRDS, definition('widgets', 'Widget'));
    await served();
    const sink = await api.watch(`${WIDGETS}?watch=true`);
    const { conditions } = (await api.ok('GET', `${CRDS}/widgets.example.com`)).status;
    const more = { type: 'Example', status: 'True', reason: 'Test', message: '' };
    const status = { conditions: [...conditions, more] };
    await api.ok('PATCH', `${CRDS}/widgets.example.com/status`, { status });
    await api.ok('PATCH', `${CRDS}/widgets.example.com`, { metadata: { labels: { a: 'b' } } });
    await api.ok('POST', CRDS, definition('gadgets', 'Gadget'));
    await served('/apis/example.com/v1/namespaces/default/gadgets');
    await api.ok('POST', WIDGETS, widget('a'));
    await eventually('the new object', () => sink.events.length > 0);
    expect(sink.ended).toBe(false);
  });

  it('that no longer has preserveUnknownFields hides the unknown fields of cached objects', async () => {
    await controller.start();
    await api.ok('POST', CRDS, definition('widgets', 'Widget'));
    await served();
    // Only v1beta1 of an earlier server could set it.
    const crd = await api.ok('GET', `${CRDS}/widgets.example.com`);
    const value = Buffer.from(JSON.stringify({ ...crd, spec: { ...crd.spec, preserveUnknownFields: true } }));
    const key = '/registry/apiextensions.k8s.io/customresourcedefinitions/widgets.example.com';
    await api.store.commit({ conditions: [], operations: [{ type: 'put', key, value }] });
    await eventually(
      'unknown fields to be kept',
      async () =>
        (await api.call('POST', `${WIDGETS}?dryRun=All`, { ...widget('a'), extra: 1 })).body.extra === 1,
    );
    await api.ok('POST', WIDGETS, { ...widget('a'), extra: 1 });
    expect((await api.ok('GET', `${WIDGETS}/a`)).extra).toBe(1);
    await api.ok('PATCH', `${CRDS}/widgets.example.com`, { spec: { preserveUnknownFields: false } });
    await eventually(
      'unknown fields to be pruned',
      async () =>
        (await api.call('POST', `${WIDGETS}?dryRun=All`, { ...widget('b'), extra: 1 })).body.extra ===
        undefined,
    );
    expect((await api.ok('GET', `${WIDGETS}/a`)).extra).toBeUndefined();
  });

  it('is followed after the watches of the store were lost', async () => {
    await controller.start();
    api.store.endWatches();
    await settled();
    await api.ok('POST', CRDS, definition('widgets', 'Widget'));
    await served();
  });
});

describe('deleting a definition', () => {
  it('deletes all of its objects along with it', async () => {
    await controller.start();
    await api.ok('POST', CRDS, definition('widgets', 'Widget'));
    await served();
    for (let i = 0; i < 100; i++) await api.ok('POST', WIDGETS, widget(`w${i}`));
    const sink = await api.watch(
      `${WIDGETS}?watch=true&resourceVersion=${await api.store.currentRevision()}`,
    );
    await api.ok('DELETE', `${CRDS}/widgets.example.com`);
    await unserved();
    expect((await api.call('GET', `${CRDS}/widgets.example.com`)).status).toBe(404);
    expect((await api.store.list({ prefix: '/registry/example.com/' })).entries).toEqual([]);
    expect([sink.events.filter(({ type }) => type === 'DELETED').length, sink.ended]).toEqual([100, true]);
  });

  it('waits for objects with finalizers without delaying other definitions', async () => {
    await controller.start();
    await api.ok('POST', CRDS, definition('widgets', 'Widget'));
    await served();
    await api.ok('POST', WIDGETS, widget('held', { finalizers: ['example.com/hold'] }));
    await api.ok('DELETE', `${CRDS}/widgets.example.com`);
    await eventually(
      'the condition Terminating',
      async () => (await condition('widgets.example.com', 'Terminating'))?.status === 'True',
    );
    expect((await api.call('POST', WIDGETS, widget('late'))).status).toBe(403);
    await api.ok('POST', CRDS, definition('gadgets', 'Gadget'));
    await served('/apis/example.com/v1/namespaces/default/gadgets');
    await api.ok('PATCH', `${WIDGETS}/held`, { metadata: { finalizers: null } });
    await eventually(
      'the definition to go',
      async () => (await api.call('GET', `${CRDS}/widgets.example.com`)).status === 404,
    );
  });

  it('leaves nothing to a later definition of the same name', async () => {
    await controller.start();
    await api.ok('POST', CRDS, definition('widgets', 'Widget'));
    await served();
    const { metadata } = await api.ok('POST', WIDGETS, widget('a'));
    await api.ok('DELETE', `${CRDS}/widgets.example.com`);
    await unserved();
    await api.ok('POST', CRDS, definition('widgets', 'Widget'));
    await served();
    const sink = await api.watch(`${WIDGETS}?watch=true&resourceVersion=${metadata.resourceVersion}`);
    await sink.untilClosed();
    expect(sink.events).toMatchObject([{ type: 'ERROR', object: { code: 410 } }]);
  });
});
