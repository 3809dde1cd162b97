import type { KubeObject } from '@instar/machinery';
import { openStore, type Store } from '@instar/store';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { widgetDefinition, widgetVersion } from '../testing/widget-definition.ts';
import { FormBudget } from './forms/form-budget.ts';
import { ResourceRegistry } from './registry.ts';
import type { Resource } from './resource.ts';
import { selectionOf } from './selection.ts';

const version = (name: string) =>
  widgetVersion(name, undefined, {
    selectableFields: [
      { name: 'spec.color', value: (object) => (object['spec'] as { color: string }).color },
    ],
  });

const definition = widgetDefinition([version('v1'), version('v2')], {
  convert: async (sources, apiVersion, settle) => {
    for (let index = 0; index < sources.length; index++) {
      const source = sources.at(index)!;
      const color = index % 2 === 0 ? 'red' : 'blue';
      const metadata = { ...source.metadata, labels: { color } };
      settle(index, { apiVersion, kind: 'Widget', metadata, spec: { color } } as KubeObject, source);
    }
  },
});

let store: Store;
let resource: Resource;
beforeEach(async () => {
  store = await openStore('memory:');
  // Capacity for one or two of them.
  const options = {
    store,
    registryPrefix: '/registry/',
    maxLogEvents: 100,
    maxLogBytes: 100_000,
    formBudget: new FormBudget(300),
  };
  resource = new ResourceRegistry(options).define(definition);
  for (let i = 0; i < 6; i++) {
    const value = Buffer.from(`{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w${i}"}}`);
    await store.commit({
      conditions: [],
      operations: [{ type: 'put', key: `/registry/example.com/widgets/w${i}`, value }],
    });
  }
  await resource.cache.waitUntilFresh();
});
afterEach(async () => {
  resource.cache.stop();
  await store.close();
});

it.each([
  { labelSelector: '', fieldSelector: 'spec.color=red' },
  { labelSelector: 'color=red', fieldSelector: '' },
])(
  'selects by the objects in the requested version, even if few of their forms stay cached: %o',
  async (options) => {
    const objects = [...resource.cache.values()];
    const selection = selectionOf(resource, resource.version('example.com/v2')!, options);
    const { selected } = await selection.select(objects);
    expect(selected.map(({ metadata }) => metadata.name)).toEqual(['w0', 'w2', 'w4']);
  },
);

it('ends behind the object that fills the page', async () => {
  const options = { labelSelector: '', fieldSelector: 'spec.color=red' };
  const selection = selectionOf(resource, resource.version('example.com/v2')!, options);
  const { selected, end } = await selection.select([...resource.cache.values()], 2);
  expect(selected.map(({ metadata }) => metadata.name)).toEqual(['w0', 'w2']);
  expect(end).toBe(3);
});
