import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from '../../testing/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.close());

const NOT_FOUND = 'the server could not find the requested resource';
const NOT_ALLOWED = 'the server does not allow this method on the requested resource';

describe('paths of resources that do not exist', () => {
  it.each([
    '/api/v1/widgets',
    '/api/v1/namespaces/default/widgets/a',
    '/apis/rbac.authorization.k8s.io/v1/widgets',
    '/api/v1/namespaces/default/configmaps/a/status',
  ])('are answered with a Status if upstream has types: %s', async (path) => {
    const { status, body } = await api.call('GET', path);
    expect([status, body.kind, body.reason, body.message]).toEqual([404, 'Status', 'NotFound', NOT_FOUND]);
  });

  it.each(['/apis/example.com/v1/widgets'])('are answered with text otherwise: %s', async (path) => {
    const { status, text, headers } = await api.call('GET', path);
    expect([status, text, headers['content-type']]).toEqual([
      404,
      '404 page not found\n',
      'text/plain; charset=utf-8',
    ]);
  });

  it('include a cluster-scoped resource in a namespace', async () => {
    expect(
      (await api.call('GET', '/apis/rbac.authorization.k8s.io/v1/namespaces/default/clusterroles')).status,
    ).toBe(404);
  });

  it('include a namespaced resource without its namespace, except for lists', async () => {
    expect((await api.call('POST', '/api/v1/configmaps', {})).status).toBe(404);
    expect((await api.call('GET', '/api/v1/configmaps')).status).toBe(200);
  });
});

describe('methods that a path does not support', () => {
  it.each([
    ['POST', '/api/v1/namespaces/default/configmaps/a'],
    ['PUT', '/api/v1/namespaces/default/configmaps'],
    ['PATCH', '/api/v1/namespaces/default/configmaps'],
    ['GET', '/api/v1/namespaces/default/finalize'],
    ['DELETE', '/api/v1/namespaces/default/status'],
  ])('are answered with 405: %s %s', async (method, path) => {
    const { status, body } = await api.call(method, path, {});
    expect([status, body.reason, body.message]).toEqual([405, 'MethodNotAllowed', NOT_ALLOWED]);
  });
});

it('finds a resource that is served', async () => {
  expect((await api.call('GET', '/api/v1/namespaces/default')).body.metadata.name).toBe('default');
  expect((await api.call('GET', '/api/v1/namespaces/default/status')).body.metadata.name).toBe('default');
});

describe('the media type of a patch', () => {
  const patched = (path: string, type: string) => api.call('PATCH', path, '{}', { 'content-type': type });

  it.each(['Application/Merge-Patch+JSON', 'application/json', 'text/plain'])(
    'is refused by the router of typed kinds: %s',
    async (type) => {
      const { status, body } = await patched('/api/v1/namespaces/default', type);
      expect([status, body.message]).toEqual([415, '415: Unsupported Media Type']);
    },
  );

  it('is refused by the handler if the router sees through a space', async () => {
    const { status, body } = await patched('/api/v1/namespaces/default', 'application/merge-patch+json ;x');
    expect([status, body.message]).toEqual([415, expect.stringContaining('strategic-merge-patch+json, ')]);
  });

  it('may have parameters', async () => {
    const type = 'application/merge-patch+json; charset=utf-8';
    expect((await patched('/api/v1/namespaces/default', type)).status).toBe(200);
  });
});

it.each([
  ['application/json;;', 415],
  ['application/json; a=1; a=2', 415],
  ['APPLICATION/JSON; charset=UTF-8', 201],
])('a body of type %s is answered with %i', async (type, status) => {
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'a' } };
  const path = '/api/v1/namespaces/default/configmaps';
  expect((await api.call('POST', path, body, { 'content-type': type })).status).toBe(status);
});

it.each([
  ['limit=', 400],
  ['timeoutSeconds=', 400],
  ['limit=%zz', 200],
  ['limit=1;x', 200],
  ['fieldSelector=%3D', 200],
  ['watch=1&continue=x', 422],
])('a list with ?%s is answered with %i', async (query, status) => {
  expect((await api.call('GET', `/api/v1/configmaps?${query}`)).status).toBe(status);
});

describe('a strategic merge patch', () => {
  const NAMESPACE = '/api/v1/namespaces/default';
  const patched = (patch: unknown, path = NAMESPACE) =>
    api.call('PATCH', path, JSON.stringify(patch), {
      'content-type': 'application/strategic-merge-patch+json',
    });

  it.each([
    [null, 200],
    [{ kind: 'Other', apiVersion: null }, 200],
    [{ $patch: 'delete' }, 400],
    [{ $patch: 'merge' }, 500],
    [{ spec: { finalizers: [['a']] } }, 422],
    [{ metadata: { '$deleteFromPrimitiveList/finalizers': 'x', $retainKeys: 'x' } }, 400],
  ])('%j is answered with %i', async (patch, status) => {
    expect((await patched(patch)).status).toBe(status);
  });

  it('of an object that does not exist is answered with 404, even if it is not a patch', async () => {
    expect((await patched('text', `${NAMESPACE}/configmaps/missing`)).status).toBe(404);
  });
});

describe('a merge patch of a typed kind', () => {
  it.each([
    [{ kind: null }, 200],
    [{ apiVersion: 'v2' }, 422],
    [{ apiVersion: null }, 400],
  ])('%j is answered with %i', async (patch, status) => {
    const type = { 'content-type': 'application/merge-patch+json' };
    const answer = await api.call('PATCH', '/api/v1/namespaces/default', JSON.stringify(patch), type);
    expect(answer.status).toBe(status);
  });
});

describe('metadata of typed kinds', () => {
  const PATH = '/api/v1/namespaces/default/configmaps';
  const configMap = (metadata: object) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata,
    data: { a: 'b' },
  });

  it('must have finalizers with a domain or a standard name', async () => {
    const { status, body } = await api.call('POST', PATH, configMap({ name: 'f', finalizers: ['bad'] }));
    expect([status, body.details?.causes[0].field]).toEqual([422, 'metadata.finalizers[0]']);
  });

  it('keeps the generation that a client sets, if the kind has none', async () => {
    const created = await api.ok('POST', PATH, configMap({ name: 'g', generation: 5 }));
    expect(created.metadata.generation).toBe(5);
  });

  it('loses a selfLink, and its owners with an empty list', async () => {
    await api.ok('POST', PATH, configMap({ name: 's' }));
    const put = configMap({ name: 's', selfLink: '/a', managedFields: [] });
    const { metadata } = await api.ok('PUT', `${PATH}/s`, put);
    expect([metadata.selfLink, metadata.managedFields]).toEqual([undefined, undefined]);
  });
});

it.each([
  ['/apis/rbac.authorization.k8s.io/v1/clusterroles?fieldSelector=metadata.namespace%3D', 200],
  ['/api/v1/namespaces?fieldSelector=name%3Da', 400],
  ['/api/v1/namespaces?fieldSelector=metadata.namespace%3D', 400],
])('a list of %s is answered with %i', async (path, status) => {
  expect((await api.call('GET', path)).status).toBe(status);
});

it('refuses HEAD for typed kinds, whose router knows GET only', async () => {
  expect((await api.call('HEAD', '/api/v1/namespaces/default')).status).toBe(405);
});
