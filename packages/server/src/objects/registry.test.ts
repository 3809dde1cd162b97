import { openStore } from '@instar/store';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { builtinDefinitions } from '../kinds/index.ts';
import type { ResourceDefinition } from './definition.ts';
import { FormBudget } from './forms/form-budget.ts';
import { ResourceRegistry } from './registry.ts';

const [configMaps] = builtinDefinitions.filter(({ names }) => names.plural === 'configmaps') as [
  ResourceDefinition,
];
const definition = (
  group: string,
  plural: string,
  versions: Record<string, boolean>,
): ResourceDefinition => ({
  ...configMaps,
  group,
  names: { ...configMaps.names, plural, kind: `Kind-of-${plural}` },
  storagePath: `${group}/${plural}/`,
  storageApiVersion: `${group}/v1`,
  versions: Object.entries(versions).map(([version, served]) => ({
    ...configMaps.versions[0]!,
    group,
    version,
    apiVersion: `${group}/${version}`,
    served,
  })),
});

let registry: ResourceRegistry;
beforeEach(async () => {
  registry = new ResourceRegistry({
    store: await openStore('memory:'),
    registryPrefix: '/registry/',
    maxLogEvents: 10,
    maxLogBytes: 1000,
    formBudget: new FormBudget(1000),
  });
});
afterEach(async () => {
  for (const { cache, store } of registry.all()) {
    cache.stop();
    await store.close();
  }
});

it('finds a resource only in served versions', () => {
  const resource = registry.define(definition('example.com', 'widgets', { v1: true, v2: false }));
  expect(registry.find('example.com', 'v1', 'widgets')?.resource).toBe(resource);
  expect(registry.find('example.com', 'v2', 'widgets')).toBeUndefined();
  expect(registry.get('example.com', 'widgets')).toBe(resource);
});

it('finds the kind of a version that is not served', () => {
  registry.define(definition('example.com', 'widgets', { v1: true, v2: false }));
  expect(registry.findKind('example.com/v2', 'Kind-of-widgets')?.version.version).toBe('v2');
});

it('finds the same resource in only the versions of its new definition', () => {
  const before = registry.define(definition('example.com', 'widgets', { v1: true, v2: true }));
  const after = registry.define(definition('example.com', 'widgets', { v1: true, v3: true }));
  expect(after).toBe(before);
  expect(
    ['v1', 'v2', 'v3'].map((version) => registry.find('example.com', version, 'widgets') !== undefined),
  ).toEqual([true, false, true]);
  expect(registry.findKind('example.com/v2', 'Kind-of-widgets')).toBeUndefined();
});

it('no longer finds a removed resource', () => {
  registry.define(definition('example.com', 'widgets', { v1: true }));
  registry.define(definition('example.com', 'gadgets', { v1: true }));
  registry.remove('example.com', 'widgets');
  expect([
    registry.find('example.com', 'v1', 'widgets'),
    registry.findKind('example.com/v1', 'Kind-of-widgets'),
  ]).toEqual([undefined, undefined]);
  expect([...registry.all()].map(({ definition: { names } }) => names.plural)).toEqual(['gadgets']);
});

it('stops the cache of a removed resource', async () => {
  const resource = registry.define(definition('example.com', 'widgets', { v1: true }));
  await resource.cache.waitUntilFresh();
  registry.remove('example.com', 'widgets');
  await expect(resource.cache.waitUntilFresh()).rejects.toMatchObject({ status: { code: 429 } });
});

it('does not let a definition replace another resource', () => {
  const first = registry.define(definition('', 'events', { v1: true }));
  const second = registry.define({ ...definition('', 'events', { v1: true }), group: 'other' });
  expect(registry.find('', 'v1', 'events')?.resource).toBe(first);
  registry.remove('other', 'events');
  expect(second).not.toBe(first);
  expect(registry.find('', 'v1', 'events')?.resource).toBe(first);
});

it('notifies once of every change, as long as it is listened to', () => {
  let notified = 0;
  const stop = registry.onChange(() => notified++);
  registry.define(definition('example.com', 'widgets', { v1: true }));
  registry.remove('example.com', 'widgets');
  registry.remove('example.com', 'widgets');
  stop();
  registry.define(definition('example.com', 'widgets', { v1: true }));
  expect([notified, registry.revision]).toEqual([2, 3]);
});
