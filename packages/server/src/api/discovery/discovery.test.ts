import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Json, TestApi } from '../../testing/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.close());

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

describe('legacy discovery', () => {
  it('lists the versions of the core group', async () => {
    expect(await api.ok('GET', '/api', undefined, { host: 'here:1' })).toEqual({
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: 'here:1' }],
    });
  });

  it('lists the groups with their preferred version', async () => {
    const { kind, groups } = await api.ok('GET', '/apis');
    const rbac = groups.find(({ name }: Json) => name === 'rbac.authorization.k8s.io');
    const version = { groupVersion: 'rbac.authorization.k8s.io/v1', version: 'v1' };
    expect([kind, rbac]).toEqual([
      'APIGroupList',
      { name: 'rbac.authorization.k8s.io', versions: [version], preferredVersion: version },
    ]);
    expect(await api.ok('GET', '/apis/rbac.authorization.k8s.io')).toEqual({
      kind: 'APIGroup',
      apiVersion: 'v1',
      ...rbac,
    });
  });

  it('lists resources and subresources, in order', async () => {
    const { kind, groupVersion, resources } = await api.ok('GET', '/api/v1');
    expect([kind, groupVersion]).toEqual(['APIResourceList', 'v1']);
    const names = resources.map(({ name }: Json) => name);
    expect(names).toEqual(
      expect.arrayContaining(['configmaps', 'namespaces', 'namespaces/finalize', 'namespaces/status']),
    );
    expect(names.filter((name: string) => !name.includes('/'))).toEqual(
      names.filter((name: string) => !name.includes('/')).sort(),
    );
    expect(resources.find(({ name }: Json) => name === 'configmaps')).toMatchObject({
      singularName: 'configmap',
      namespaced: true,
      kind: 'ConfigMap',
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      shortNames: ['cm'],
      storageVersionHash: expect.any(String),
    });
  });

  it.each(['/apis/example.com', '/api/v2'])('does not know %s', async (path) => {
    expect(await api.call('GET', path)).toMatchObject({ status: 404, text: '404 page not found\n' });
  });

  it('answers a version that a built-in group does not have with a Status', async () => {
    const answer = await api.call('GET', '/apis/rbac.authorization.k8s.io/v9');
    expect([answer.status, JSON.parse(answer.text).reason]).toEqual([404, 'NotFound']);
  });
});

describe('aggregated discovery', () => {
  it('is sent to clients that prefer it', async () => {
    const { headers, body } = await api.call('GET', '/apis', undefined, {
      accept: `${AGGREGATED},application/json`,
    });
    expect(headers['content-type']).toBe(AGGREGATED);
    expect([body.kind, body.apiVersion]).toEqual(['APIGroupDiscoveryList', 'apidiscovery.k8s.io/v2']);
    const group = body.items.find(({ metadata }: Json) => metadata.name === 'rbac.authorization.k8s.io');
    expect(group.versions[0].resources[0]).toMatchObject({
      resource: 'clusterrolebindings',
      scope: 'Cluster',
      singularResource: 'clusterrolebinding',
    });
  });

  it('is sent to clients that accept it, even if they prefer legacy discovery', async () => {
    const { body } = await api.call('GET', '/apis', undefined, {
      accept: `application/json,${AGGREGATED};q=0.5`,
    });
    expect(body.kind).toBe('APIGroupDiscoveryList');
  });

  it('is not served in v2beta1', async () => {
    const old = AGGREGATED.replace('v=v2', 'v=v2beta1');
    const ask = (accept: string) => api.call('GET', '/apis', undefined, { accept });
    expect((await ask(old)).status).toBe(406);
    expect((await ask(`${old},application/json`)).body.kind).toBe('APIGroupList');
  });

  it('can be sent in YAML', async () => {
    const accept = AGGREGATED.replace('application/json', 'application/yaml');
    const { headers, text } = await api.call('GET', '/apis', undefined, { accept });
    expect([headers['content-type'], text.split('\n')[0]]).toEqual([
      accept,
      'apiVersion: apidiscovery.k8s.io/v2',
    ]);
  });

  it('is not sent again while nothing has changed', async () => {
    const ask = (etag?: string) =>
      api.call('GET', '/apis', undefined, { accept: AGGREGATED, ...(etag && { 'if-none-match': etag }) });
    const first = await ask();
    const etag = String(first.headers['etag']);
    expect(await ask(etag)).toMatchObject({ status: 304, text: '' });
    const { definition } = api.resource('', 'configmaps');
    api.registry.define({
      ...definition,
      group: 'example.com',
      storagePath: 'x/',
      versions: definition.versions.map((version) => ({
        ...version,
        group: 'example.com',
        apiVersion: 'example.com/v1',
      })),
    });
    const changed = await ask(etag);
    expect(changed.status).toBe(200);
    expect(changed.body.items.map(({ metadata }: Json) => metadata.name)).toContain('example.com');
    api.registry.remove('example.com', 'configmaps');
    expect((await ask(etag)).status).toBe(304);
  });
});
