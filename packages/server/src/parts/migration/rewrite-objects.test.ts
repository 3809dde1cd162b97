import { RELABEL } from '@instar/convert';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TestApi } from '../../testing/test-api.ts';
import { integerSpec, widgetDefinition, widgetVersion } from '../../testing/widget-definition.ts';
import { rewriteObjects } from './rewrite-objects.ts';

const definition = (fields: readonly string[]) =>
  widgetDefinition(
    [widgetVersion('v1', integerSpec(['a', 'b'])), widgetVersion('v2', integerSpec(fields))],
    RELABEL,
    { storageApiVersion: 'example.com/v2' },
  );

let api: TestApi;
beforeEach(async () => {
  api = await TestApi.start();
});
afterEach(() => api.close());

it('prunes by the current schema when an object is written, not by that of the beginning of the migration', async () => {
  const resource = api.registry.define(definition(['a']));
  const keys = Array.from({ length: 150 }, (_, i) => `/registry/example.com/widgets/w${i}`);
  for (const key of keys) {
    const name = key.slice(key.lastIndexOf('/') + 1);
    const value = Buffer.from(
      `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"${name}","uid":"u"},"spec":{"a":1,"b":2}}`,
    );
    await api.store.commit({ conditions: [], operations: [{ type: 'put', key, value }] });
  }
  let batches = 0;
  await rewriteObjects(resource, {
    signal: new AbortController().signal,
    onFailure: () => {},
    onProgress: () => {
      if (++batches === 1) api.registry.define(definition(['a', 'b']));
    },
  });
  const stored = await Promise.all(keys.map((key) => api.store.get(key)));
  const specs = stored.map((entry) => JSON.stringify(JSON.parse(Buffer.from(entry!.value).toString()).spec));
  expect(specs.filter((spec) => spec === '{"a":1}')).toHaveLength(100);
  expect(specs.filter((spec) => spec === '{"a":1,"b":2}')).toHaveLength(50);
});
