import { join } from 'node:path';
import { apiErrors, type KubeObject } from '@instar/machinery';
import { eventually, FakeClock, temporaryFolder } from '@instar/testing';
import { EmbeddedApi } from '@instar/testing/api';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { KubeClient } from '../kube-client.ts';
import { configMap, configMaps } from '../testing/config-maps.ts';
import { Informer, type InformerOptions, type Listable } from './informer.ts';
import { objectKey } from './object-store.ts';

let server: EmbeddedApi;
let client: KubeClient;
const started: Informer[] = [];

beforeAll(async () => {
  server = await EmbeddedApi.start();
  client = server.client();
  await client.create(
    { group: '', version: 'v1', resource: 'namespaces' },
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'watched' } },
  );
});
afterEach(() => Promise.all(started.splice(0).map((informer) => informer.stop())));
afterAll(() => server.close());

const ref = { ...configMaps, namespace: 'watched' };
const at = (name: string) => ({ ...ref, name });

function watched(
  options: Partial<InformerOptions> = {},
  api: Listable = client,
): { informer: Informer; events: string[]; errors: unknown[] } {
  const events: string[] = [];
  const errors: unknown[] = [];
  const informer = new Informer(api, {
    ref,
    onError: (error) => errors.push(error),
    pageSize: 2,
    labelSelector: 'watch=yes',
    ...options,
  });
  informer.addHandlers({
    add: (object, initial) => events.push(`add ${objectKey(object)}${initial ? ' initially' : ''}`),
    update: (old, object) => events.push(`${old === object ? 'resync' : 'update'} ${objectKey(object)}`),
    delete: (object) => events.push(`delete ${objectKey(object)}`),
  });
  started.push(informer);
  return { informer, events, errors };
}

const create = (name: string): Promise<KubeObject> =>
  client.create(ref, { ...configMap(name), metadata: { name, labels: { watch: 'yes' } } });
const touch = (name: string): Promise<KubeObject> =>
  client.patch(at(name), { data: { touched: 'yes' } }, { type: 'merge' });
const remove = (name: string): Promise<unknown> => client.delete(at(name));

describe('an informer', () => {
  it('reports existing objects, then every change', async () => {
    for (const name of ['a', 'b', 'c']) await create(name);
    const { informer, events, errors } = watched();
    expect(informer.hasSynced).toBe(false);
    informer.start();
    await informer.whenSynced();
    expect(events.splice(0)).toEqual([
      'add watched/a initially',
      'add watched/b initially',
      'add watched/c initially',
    ]);
    await create('d');
    await touch('b');
    await remove('a');
    await eventually('three events', () => events.length === 3);
    expect(events).toEqual(['add watched/d', 'update watched/b', 'delete watched/a']);
    expect(informer.list().map(objectKey).sort()).toEqual(['watched/b', 'watched/c', 'watched/d']);
    expect(informer.get('watched/b')).toMatchObject({ data: { touched: 'yes' } });
    expect(errors).toEqual([]);
    for (const name of ['b', 'c', 'd']) await remove(name);
  });

  it('stores objects as transformed', async () => {
    const transform = ({
      apiVersion,
      kind,
      metadata: { managedFields, ...metadata },
    }: KubeObject): KubeObject => ({
      apiVersion,
      kind,
      metadata,
    });
    await create('listed');
    const { informer, events } = watched({ transform });
    informer.start();
    await informer.whenSynced();
    await create('seen');
    await eventually('two events', () => events.length === 2);
    for (const object of informer.list())
      expect([object.metadata.managedFields, object.metadata.uid === undefined]).toEqual([undefined, false]);
    for (const name of ['listed', 'seen']) await remove(name);
  });

  it('reports existing objects to later handlers, even if another handler throws', async () => {
    await create('late');
    const { informer, errors } = watched();
    informer.addHandlers({
      add: () => {
        throw new Error('a bad handler');
      },
    });
    informer.start();
    await informer.whenSynced();
    const late: string[] = [];
    informer.addHandlers({ add: (object, initial) => late.push(`${objectKey(object)} ${initial}`) });
    expect(late).toEqual(['watched/late true']);
    expect(errors.map(String)).toEqual(['Error: a bad handler']);
    await remove('late');
  });

  it('reports every object at each resync', async () => {
    await create('same');
    const clock = new FakeClock();
    const { informer, events } = watched({ clock, resyncMs: 86_400_000 });
    informer.start();
    await informer.whenSynced();
    await clock.pass(3 * 86_400_000);
    expect(events).toEqual([
      'add watched/same initially',
      'resync watched/same',
      'resync watched/same',
      'resync watched/same',
    ]);
    await remove('same');
  });

  it('reports only the changes when it lists again after a compaction', async () => {
    for (const name of ['kept', 'gone', 'replaced']) await create(name);
    let forget = (): void => undefined;
    const forgotten = new Promise<void>((resolve) => {
      forget = resolve;
    });
    let watches = 0;
    const { informer, events, errors } = watched(
      {},
      {
        pages: (...args) => client.pages(...args),
        async *watch(...args) {
          if (watches++ > 0) return yield* client.watch(...args);
          await forgotten;
          throw apiErrors.expired('too old resource version: 1 (2)');
        },
      },
    );
    informer.start();
    await informer.whenSynced();
    events.splice(0);
    await remove('gone');
    await remove('replaced');
    await create('replaced');
    await create('new');
    forget();
    await eventually('the second watch', () => watches === 2);
    expect(events).toEqual([
      'delete watched/gone',
      'add watched/new',
      'delete watched/replaced',
      'add watched/replaced',
    ]);
    expect(errors).toEqual([]);
    for (const name of ['replaced', 'kept', 'new']) await remove(name);
  });
});

describe('an informer whose server is restarted', () => {
  it('resumes its watch when the server answers again at the same address', {
    timeout: 30_000,
  }, async () => {
    const dataDir = temporaryFolder(onTestFinished);
    const open = (port: number): Promise<EmbeddedApi> =>
      EmbeddedApi.start({ storage: `lmdb:${join(dataDir, 'store')}`, dataDir, port });
    const first = await open(0);
    const { port } = first.server;
    const before = first.client();
    const events: string[] = [];
    const errors: unknown[] = [];
    const informer = new Informer(before, {
      ref: configMaps,
      random: () => 0,
      onError: (error) => errors.push(error),
    });
    informer.addHandlers({
      add: (object) => events.push(objectKey(object)),
      delete: (object) => events.push(`no ${objectKey(object)}`),
    });
    informer.start();
    await informer.whenSynced();
    await before.create(configMaps, configMap('one'));
    await eventually('the first object', () => events.includes('default/one'));
    await first.server.close();
    const second = await open(port);
    const after = second.client();
    await after.delete({ ...configMaps, name: 'one' });
    await after.create(configMaps, configMap('two'));
    await eventually('the second object', () => events.includes('default/two'));
    expect(events.filter((line) => line.includes('default/') && !line.includes('kube-root'))).toEqual([
      'default/one',
      'no default/one',
      'default/two',
    ]);
    await informer.stop();
    await before.close();
    await second.close();
  });
});
