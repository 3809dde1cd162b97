import { compileSchema } from '@instar/schema';
import { SILENT } from '@instar/serving';
import { eventually, settled } from '@instar/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Json, TestApi } from '../../testing/test-api.ts';
import { GarbageCollector } from './garbage-collector.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const SECRETS = '/api/v1/namespaces/default/secrets';
let api: TestApi;
let collector: GarbageCollector;

beforeEach(async () => {
  api = await TestApi.start();
  collector = new GarbageCollector(api.registry, SILENT);
});
afterEach(async () => {
  vi.useRealTimers();
  await collector.stop();
  await api.close();
});

const ownerReference = ({ apiVersion, kind, metadata }: Json, more = {}) => ({
  apiVersion,
  kind,
  name: metadata.name,
  uid: metadata.uid,
  ...more,
});
const map = (name: string, owners: object[] = [], more = {}) =>
  api.ok('POST', MAPS, { metadata: { name, ownerReferences: owners, ...more } });
const secret = (name: string, owners: object[] = [], more = {}) =>
  api.ok('POST', SECRETS, { metadata: { name, ownerReferences: owners, ...more } });
const remove = (url: string, propagationPolicy: string) => api.ok('DELETE', url, { propagationPolicy });
const exists = async (url: string) => (await api.call('GET', url)).status === 200;
const gone = (url: string) => eventually(`${url} to go`, async () => !(await exists(url)));
const ownersOf = async (url: string) =>
  ((await api.ok('GET', url)).metadata.ownerReferences ?? []).map(({ name }: Json) => name);

describe('in the background', () => {
  it('direct or indirect dependents are deleted after their owner', async () => {
    await collector.start();
    const owner = await map('owner');
    const child = await secret('child', [ownerReference(owner)]);
    await map('grandchild', [ownerReference(child)]);
    await map('stranger');
    await remove(`${MAPS}/owner`, 'Background');
    await gone(`${MAPS}/grandchild`);
    expect(await exists(`${SECRETS}/child`)).toBe(false);
    expect(await exists(`${MAPS}/stranger`)).toBe(true);
  });

  it('a dependent with another owner stays, without the reference to the deleted one', async () => {
    await collector.start();
    const [a, b] = [await map('a'), await map('b')];
    await secret('child', [ownerReference(a), ownerReference(b)]);
    await remove(`${MAPS}/a`, 'Background');
    await eventually('one owner to be left', async () => (await ownersOf(`${SECRETS}/child`)).length === 1);
    expect(await ownersOf(`${SECRETS}/child`)).toEqual(['b']);
  });

  it('dependents of an owner whose name has spaces are deleted', async () => {
    await collector.start();
    const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
    const owner = await api.ok('POST', roles, { metadata: { name: 'the owner' } });
    await api.ok('POST', roles, { metadata: { name: 'a child', ownerReferences: [ownerReference(owner)] } });
    await remove(`${roles}/the%20owner`, 'Background');
    await gone(`${roles}/a%20child`);
  });

  it('collection continues after the watches of the store were lost', async () => {
    await collector.start();
    const owner = await map('owner');
    await secret('child', [ownerReference(owner)]);
    api.store.endWatches();
    await settled();
    await remove(`${MAPS}/owner`, 'Background');
    await gone(`${SECRETS}/child`);
  });
});

describe('in the foreground', () => {
  it('objects that own each other in a circle are deleted', async () => {
    await collector.start();
    const names = ['a', 'b', 'c'];
    const made = await Promise.all(names.map((name) => map(name)));
    for (const [index, name] of names.entries()) {
      const owner = ownerReference(made[(index + 2) % 3]!, { blockOwnerDeletion: true });
      await api.ok('PATCH', `${MAPS}/${name}`, { metadata: { ownerReferences: [owner] } });
    }
    await remove(`${MAPS}/a`, 'Foreground');
    for (const name of names) await gone(`${MAPS}/${name}`);
  });

  it('an object that owns itself is deleted', async () => {
    await collector.start();
    const owner = ownerReference(await map('own'), { blockOwnerDeletion: true });
    await api.ok('PATCH', `${MAPS}/own`, { metadata: { ownerReferences: [owner] } });
    await remove(`${MAPS}/own`, 'Foreground');
    await gone(`${MAPS}/own`);
  });

  it('the owner waits for dependents that block it', async () => {
    await collector.start();
    const owner = await map('owner');
    await secret('child', [ownerReference(owner, { blockOwnerDeletion: true })], {
      finalizers: ['example.com/hold'],
    });
    await remove(`${MAPS}/owner`, 'Foreground');
    await eventually(
      'the child to be deleted',
      async () => (await api.ok('GET', `${SECRETS}/child`)).metadata.deletionTimestamp,
    );
    await settled();
    expect((await api.ok('GET', `${MAPS}/owner`)).metadata.finalizers).toEqual(['foregroundDeletion']);
    await api.ok('PATCH', `${SECRETS}/child`, { metadata: { finalizers: null } });
    await gone(`${MAPS}/owner`);
  });

  it('the owner does not wait for dependents that do not block it', async () => {
    await collector.start();
    const owner = await map('owner');
    await secret('child', [ownerReference(owner)], { finalizers: ['example.com/hold'] });
    await remove(`${MAPS}/owner`, 'Foreground');
    await gone(`${MAPS}/owner`);
    expect(await exists(`${SECRETS}/child`)).toBe(true);
  });

  it('the owner is deleted when a dependent with another owner drops its reference', async () => {
    await collector.start();
    const [owner, other] = [await map('owner'), await map('other')];
    await secret('child', [ownerReference(owner, { blockOwnerDeletion: true }), ownerReference(other)]);
    await remove(`${MAPS}/owner`, 'Foreground');
    await gone(`${MAPS}/owner`);
    expect(await ownersOf(`${SECRETS}/child`)).toEqual(['other']);
  });

  it('the owner is deleted when a dependent stops blocking it', async () => {
    await collector.start();
    const owner = await map('owner');
    await secret('child', [ownerReference(owner, { blockOwnerDeletion: true })], {
      finalizers: ['example.com/hold'],
    });
    await remove(`${MAPS}/owner`, 'Foreground');
    await eventually(
      'the child to be deleted',
      async () => (await api.ok('GET', `${SECRETS}/child`)).metadata.deletionTimestamp,
    );
    await api.ok('PATCH', `${SECRETS}/child`, {
      metadata: { ownerReferences: [ownerReference(owner, { blockOwnerDeletion: false })] },
    });
    await gone(`${MAPS}/owner`);
  });
});

describe('orphans', () => {
  it('stay without an owner', async () => {
    await collector.start();
    const owner = await map('owner');
    await secret('child', [ownerReference(owner, { blockOwnerDeletion: true })]);
    await remove(`${MAPS}/owner`, 'Orphan');
    await gone(`${MAPS}/owner`);
    await settled();
    expect(await ownersOf(`${SECRETS}/child`)).toEqual([]);
  });

  it('are released even if the server starts in the middle of it', async () => {
    const owner = await map('owner');
    await secret('child', [ownerReference(owner)]);
    await remove(`${MAPS}/owner`, 'Orphan');
    const secrets = api.resource('', 'secrets').cache;
    const fresh = secrets.waitUntilFresh.bind(secrets);
    let read: () => void = () => {};
    vi.spyOn(secrets, 'waitUntilFresh').mockImplementationOnce(() =>
      new Promise<void>((resolve) => (read = resolve)).then(fresh),
    );
    const starting = collector.start();
    await settled();
    expect(await exists(`${MAPS}/owner`)).toBe(true);
    read();
    await starting;
    await gone(`${MAPS}/owner`);
    expect(await ownersOf(`${SECRETS}/child`)).toEqual([]);
  });
});

describe('an owner that was never seen', () => {
  const missing = { apiVersion: 'v1', kind: 'ConfigMap', name: 'missing', uid: 'no-such-uid' };
  const clock = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });

  it('has its dependents deleted only after a grace period', async () => {
    clock();
    await collector.start();
    await secret('child', [missing]);
    await settled();
    await vi.advanceTimersByTimeAsync(29_000);
    await settled();
    expect(await exists(`${SECRETS}/child`)).toBe(true);
    await vi.advanceTimersByTimeAsync(1_000);
    await gone(`${SECRETS}/child`);
  });

  it('does not matter if its dependent gets another owner in time', async () => {
    clock();
    await collector.start();
    const owner = await map('owner');
    await secret('child', [missing]);
    await settled();
    await api.ok('PATCH', `${SECRETS}/child`, { metadata: { ownerReferences: [ownerReference(owner)] } });
    await vi.advanceTimersByTimeAsync(60_000);
    await settled();
    expect(await ownersOf(`${SECRETS}/child`)).toEqual(['owner']);
  });

  it('of a kind that is not served is ignored', async () => {
    clock();
    await collector.start();
    await secret('child', [{ apiVersion: 'example.com/v1', kind: 'Unknown', name: 'a', uid: 'b' }]);
    await settled();
    await vi.advanceTimersByTimeAsync(60_000);
    await settled();
    expect(await exists(`${SECRETS}/child`)).toBe(true);
  });

  it('in a namespace cannot own a cluster-scoped object', async () => {
    clock();
    await collector.start();
    const owner = await map('owner');
    const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
    await api.ok('POST', roles, { metadata: { name: 'child', ownerReferences: [ownerReference(owner)] } });
    await settled();
    await vi.advanceTimersByTimeAsync(60_000);
    await settled();
    expect(await exists(`${roles}/child`)).toBe(true);
  });
});

it('follows resources that are defined later', async () => {
  await collector.start();
  api.registry.define({
    names: {
      plural: 'widgets',
      singular: 'widget',
      kind: 'Widget',
      listKind: 'WidgetList',
      shortNames: [],
      categories: [],
    },
    namespaced: true,
    storagePath: 'example.com/widgets/',
    group: 'example.com',
    versions: [
      {
        group: 'example.com',
        version: 'v1',
        apiVersion: 'example.com/v1',
        served: true,
        deprecated: false,
        schema: compileSchema({ type: 'object' }),
        statusSubresource: false,
        columns: [],
        selectableFields: [],
      },
    ],
    storageApiVersion: 'example.com/v1',
    converter: { convertNow: (object, apiVersion) => ({ ...object, apiVersion }) },
    strategy: {},
    typed: false,
  });
  const widgets = '/apis/example.com/v1/namespaces/default/widgets';
  const owner = await api.ok('POST', widgets, {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'owner' },
  });
  await secret('child', [ownerReference(owner)]);
  await remove(`${widgets}/owner`, 'Background');
  await gone(`${SECRETS}/child`);
});
