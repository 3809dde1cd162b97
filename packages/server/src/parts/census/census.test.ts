import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { openStore } from '@instar/store';
import { eventually, temporaryFolder } from '@instar/testing';
import { EmbeddedApi } from '@instar/testing/api';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

const GROUP = 'stable.example.com';
const NAME = `crontabs.${GROUP}`;
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const REPORT = `/apis/instar.dev/v1alpha1/storedversions/${NAME}`;
const CLIENTS = `/apis/instar.dev/v1alpha1/versionclients`;
const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };

let api: EmbeddedApi;

const url = (version: string, namespace: string, name = '') =>
  `/apis/${GROUP}/${version}/namespaces/${namespace}/crontabs${name && `/${name}`}`;

const versions = (names: readonly string[], stored: string) =>
  names.map((name) => ({ name, served: true, storage: name === stored, schema }));

async function define(stored: string, names: readonly string[] = ['v1', 'v2']): Promise<void> {
  const spec = {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'crontabs', kind: 'CronTab' },
    versions: versions(names, stored),
  };
  const body = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: NAME },
    spec,
  };
  if ((await api.send('POST', CRDS, body)).status !== 201)
    await api.send('PATCH', `${CRDS}/${NAME}`, { spec: { versions: spec.versions } });
  const hash = createHash('sha256')
    .update(`${GROUP}/${stored}/CronTab`)
    .digest()
    .subarray(0, 8)
    .toString('base64');
  await eventually('the definition to be served', async () => {
    const { resources = [] } = (await api.send('GET', `/apis/${GROUP}/${names.at(-1)}`)).body;
    return resources[0]?.storageVersionHash === hash;
  });
}

const create = (version: string, namespace: string, name: string) =>
  api.send('POST', url(version, namespace), {
    apiVersion: `${GROUP}/${version}`,
    kind: 'CronTab',
    metadata: { name },
    spec: { a: 1 },
  });

beforeEach(async () => {
  api = await EmbeddedApi.start();
  await api.send('POST', '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'other' },
  });
});

afterEach(() => api.close());

describe('storedversions', () => {
  it('compares storedVersions with the counts of the stored objects as they change', async () => {
    await define('v1');
    for (const name of ['a', 'b', 'c']) await create('v1', 'default', name);
    await create('v2', 'other', 'd');
    await define('v2');
    expect((await api.send('GET', REPORT)).body.status).toMatchObject({
      storageVersion: 'v2',
      objects: 4,
      versions: [
        { version: 'v2', objects: 0, storage: true, namespaces: [] },
        {
          version: 'v1',
          objects: 4,
          namespaces: [
            { namespace: 'default', objects: 3 },
            { namespace: 'other', objects: 1 },
          ],
        },
      ],
      claimed: ['v1', 'v2'],
      honest: true,
      managedFields: [
        { version: 'v2', objects: 1, defined: true },
        { version: 'v1', objects: 3, defined: true },
      ],
    });
    for (const name of ['a', 'b', 'c'])
      await api.send('PATCH', url('v1', 'default', name), { spec: { a: 2 } });
    await api.send('DELETE', url('v1', 'other', 'd'));
    const { status } = (await api.send('GET', REPORT)).body;
    expect(status).toMatchObject({ objects: 3, honest: false, prunable: ['v1'], unclaimed: [] });
    expect(status.versions[0]).toMatchObject({
      version: 'v2',
      objects: 3,
      namespaces: [{ namespace: 'default', objects: 3 }],
    });
  });

  it('shows in which versions objects are stored, in a table or per object', async () => {
    await define('v1');
    await create('v1', 'default', 'a');
    await define('v2');
    await create('v1', 'default', 'b');
    const table = await api.send('GET', '/apis/instar.dev/v1alpha1/storedversions', undefined, {
      accept: 'application/json;as=Table;g=meta.k8s.io;v=v1',
    });
    expect(table.body.rows.map(({ cells }: { cells: unknown[] }) => cells.slice(0, 5))).toEqual([
      [NAME, 'v2', 'v2=1,v1=1', 'v1,v2', true],
    ]);
    const list = await api.send(
      'GET',
      `${url('v2', 'default')}?instar.dev/showStoredVersion=true`,
      undefined,
      {
        accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
      },
    );
    const shown = list.body.items.map(
      ({ metadata }: { metadata: { name: string; annotations: Record<string, string> } }) => [
        metadata.name,
        metadata.annotations['instar.dev/stored-version'],
      ],
    );
    expect(shown).toEqual([
      ['a', 'v1'],
      ['b', 'v2'],
    ]);
    expect((await api.send('GET', url('v2', 'default', 'a'))).body.metadata.annotations).toBeUndefined();
  });

  it('names removed versions in managedFields', async () => {
    await define('v1', ['v1', 'v1beta1']);
    await create('v1beta1', 'default', 'a');
    await api.send('PATCH', `${CRDS}/${NAME}`, { spec: { versions: versions(['v1'], 'v1') } });
    const { status } = (await api.send('GET', REPORT)).body;
    expect(status.managedFields).toEqual([{ version: 'v1beta1', objects: 1, defined: false }]);
  });
});

describe('versionclients', () => {
  it('lists the clients that have read, written and watched a version', async () => {
    await define('v1');
    const agent = { 'user-agent': 'operator/v3 (linux)' };
    await api.send(
      'POST',
      url('v1', 'default'),
      { apiVersion: `${GROUP}/v1`, kind: 'CronTab', metadata: { name: 'a' } },
      agent,
    );
    await api.send('GET', url('v2', 'default', 'a'), undefined, agent);
    const { items } = (await api.send('GET', `${CLIENTS}?crd=${NAME}&version=v1`)).body;
    const row = items.find(
      ({ status }: { status: { userAgent: string } }) => status.userAgent === agent['user-agent'],
    );
    expect(row.status).toMatchObject({
      crd: NAME,
      version: 'v1',
      reads: 0,
      writes: 1,
      openWatches: 0,
      user: 'instar-admin',
    });
    expect((await api.send('GET', `${CLIENTS}/${row.metadata.name}`)).body.status.userAgent).toBe(
      agent['user-agent'],
    );
    const watch = await api.firstEvents(`${url('v2', 'default')}?watch=true`, 1);
    await watch.events;
    await eventually('the watch to be over', async () => {
      const { items: rows } = (await api.send('GET', `${CLIENTS}?crd=${NAME}&version=v2`)).body;
      return (
        rows.every(({ status }: { status: { openWatches: number } }) => status.openWatches === 0) &&
        rows.length > 1
      );
    });
  });

  const agents = async (): Promise<string[]> =>
    (await api.send('GET', CLIENTS)).body.items.map(
      ({ status }: { status: { userAgent: string } }) => status.userAgent,
    );

  it('do not pass from a deleted definition to a new one of its name', async () => {
    await define('v1');
    await api.send('GET', url('v1', 'default'), undefined, { 'user-agent': 'of-the-first' });
    expect(await agents()).toContain('of-the-first');
    await api.send('DELETE', `${CRDS}/${NAME}`);
    await eventually(
      'the definition to be gone',
      async () => (await api.send('GET', `${CRDS}/${NAME}`)).status === 404,
    );
    await define('v1');
    await api.send('GET', url('v1', 'default'), undefined, { 'user-agent': 'of-the-second' });
    expect(await agents()).toEqual(['of-the-second']);
  });

  it('persist across restarts, unless their definition is deleted', async () => {
    const dataDir = temporaryFolder(onTestFinished);
    const restart = async (storage: string): Promise<void> => {
      await api.close();
      api = await EmbeddedApi.start({ dataDir, storage: await openStore(storage) });
    };
    await restart(`lmdb:${join(dataDir, 'store')}`);
    await define('v1');
    await api.send('GET', url('v1', 'default'), undefined, { 'user-agent': 'old-client' });
    await restart(`lmdb:${join(dataDir, 'store')}`);
    expect(await agents()).toContain('old-client');
    await restart('memory:');
    expect(await agents()).toEqual([]);
  });
});
