// Custom resources whose metadata was stored before anything checked it, as in an etcd of an old cluster.
import type { JSONSchemaProps } from '@instar/schema';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TestApi } from '../../testing/test-api.ts';
import { widgetDefinition, widgetVersion } from '../../testing/widget-definition.ts';

const definition = (properties: Record<string, JSONSchemaProps>) =>
  widgetDefinition([widgetVersion('v1', properties), widgetVersion('v2', properties)]);
const EMBEDDED: JSONSchemaProps = {
  type: 'object',
  'x-kubernetes-embedded-resource': true,
  'x-kubernetes-preserve-unknown-fields': true,
};
const BROKEN = { unknown: 42, generation: null, annotations: { foo: 42, bar: 'abc' } };
const W = '/apis/example.com/v1/widgets/w';

let api: TestApi;
beforeEach(async () => {
  api = await TestApi.start();
});
afterEach(() => api.close());

const store = (object: object) =>
  api.store.commit({
    conditions: [],
    operations: [
      { type: 'put', key: '/registry/example.com/widgets/w', value: Buffer.from(JSON.stringify(object)) },
    ],
  });
const widget = (metadata: object, more: object = {}) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'w', uid: 'u', creationTimestamp: '2026-05-01T10:00:00Z', ...metadata },
  ...more,
});

it('broken metadata is pruned and coerced when it is read, in every version', async () => {
  api.registry.define(definition({}));
  await store(widget(BROKEN));
  for (const version of ['v1', 'v2']) {
    const { metadata } = await api.ok('GET', W.replace('v1', version));
    expect(metadata).toEqual({ ...widget({ generation: 1 }).metadata, resourceVersion: expect.any(String) });
  }
});

it('broken metadata of embedded resources is pruned and coerced when it is read', async () => {
  api.registry.define(definition({ embedded: EMBEDDED }));
  const embedded = { apiVersion: 'v1', kind: 'K', metadata: { name: 'e', ...BROKEN } };
  await store(widget({ generation: 2 }, { embedded }));
  const { metadata, embedded: shown } = await api.ok('GET', W);
  expect(metadata.generation).toBe(2);
  expect(shown).toEqual({ apiVersion: 'v1', kind: 'K', metadata: { name: 'e' } });
});

it('an update of what was served is accepted', async () => {
  api.registry.define(definition({ embedded: EMBEDDED, spec: { type: 'string' } }));
  const embedded = { apiVersion: 'v1', kind: 'K', metadata: { name: 'e', ...BROKEN } };
  await store(widget(BROKEN, { embedded }));
  const served = await api.ok('GET', W);
  const updated = await api.ok('PUT', W, { ...served, spec: 'new' });
  expect(updated).toMatchObject({ spec: 'new', metadata: { generation: 1 } });
});
