import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Json, TestApi } from '../../testing/test-api.ts';
import { continueTokenFor, parseContinueToken } from './continue-token.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
let api: TestApi;
beforeEach(async () => {
  api = await TestApi.start();
});
afterEach(() => api.close());

const create = (name: string, labels = {}, namespace = 'default') =>
  api.ok('POST', `/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name, labels } });
const namesOf = ({ items }: Json): string[] => items.map(({ metadata }: Json) => metadata.name);

/** All pages, as a client gets them. `between` runs after the first. */
async function pages(query: string, between = async () => {}): Promise<string[][]> {
  const all: string[][] = [];
  for (let token = ''; ; ) {
    const page = await api.ok('GET', `${MAPS}?${query}${token === '' ? '' : `&continue=${token}`}`);
    all.push(namesOf(page));
    if (all.length === 1) await between();
    token = page.metadata.continue ?? '';
    if (token === '') return all;
  }
}

describe('pages', () => {
  beforeEach(async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      await create(name, { parity: 'ace'.includes(name) ? 'odd' : 'even' });
    await create('z', {}, 'kube-system');
  });

  it('hold as many objects as the limit allows', async () => {
    expect(await pages('limit=2')).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
    expect(await pages('limit=5')).toEqual([['a', 'b', 'c', 'd', 'e']]);
  });

  it('say how many objects remain', async () => {
    expect((await api.ok('GET', `${MAPS}?limit=2`)).metadata.remainingItemCount).toBe(3);
    expect((await api.ok('GET', MAPS)).metadata).not.toHaveProperty('remainingItemCount');
  });

  it('show the revision of the first page, whatever is written meanwhile', async () => {
    const change = async () => {
      await create('bb');
      await api.ok('DELETE', `${MAPS}/c`);
      await api.ok('PATCH', `${MAPS}/d`, { metadata: { labels: { parity: 'new' } } });
    };
    expect(await pages('limit=2', change)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
    const first = await api.ok('GET', `${MAPS}?limit=1`);
    await create('aa');
    const second = await api.ok('GET', `${MAPS}?limit=2&continue=${first.metadata.continue}`);
    expect([namesOf(second), second.metadata.remainingItemCount]).toEqual([['b', 'bb'], 2]);
    expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
  });

  it('are full although a selection leaves objects out', async () => {
    expect(await pages('limit=2&labelSelector=parity%3Dodd')).toEqual([['a', 'c'], ['e']]);
    const remaining = (await api.ok('GET', `${MAPS}?limit=1&labelSelector=parity%3Dodd`)).metadata;
    expect(remaining).not.toHaveProperty('remainingItemCount');
  });

  it('are full although a selection leaves objects of a past revision out', async () => {
    const change = () => api.ok('PATCH', `${MAPS}/e`, { metadata: { labels: { parity: 'even' } } });
    expect(await pages('limit=2&labelSelector=parity%3Dodd', change)).toEqual([['a', 'c'], ['e']]);
  });

  it('continue with the current state when their revision is compacted', async () => {
    const { metadata } = await api.ok('GET', `${MAPS}?limit=2`);
    await create('dd');
    await api.store.compact(await api.store.currentRevision());
    const { status, body } = await api.call('GET', `${MAPS}?limit=2&continue=${metadata.continue}`);
    expect([status, body.reason]).toEqual([410, 'Expired']);
    expect(body.message).toContain('The provided continue parameter is too old');
    const rest = await api.ok('GET', `${MAPS}?limit=9&continue=${body.metadata.continue}`);
    expect(namesOf(rest)).toEqual(['c', 'd', 'dd', 'e']);
  });

  it('work with names that are not ASCII', async () => {
    const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
    for (const name of ['é', 'ü', '～', '😀']) await api.ok('POST', roles, { metadata: { name } });
    const first = await api.ok('GET', `${roles}?limit=3`);
    const second = await api.ok('GET', `${roles}?limit=3&continue=${first.metadata.continue}`);
    expect([namesOf(first), namesOf(second)]).toEqual([['é', 'ü', '～'], ['😀']]);
  });
});

describe('continue tokens', () => {
  it('can be parsed again', () => {
    expect(parseContinueToken(continueTokenFor(7, 'ns/é'))).toEqual({ revision: 7, start: 'ns/é' });
  });

  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  it.each([
    ['invalid base64', '!!'],
    ['no JSON', encoded('x').slice(1)],
    ['no object', encoded([])],
    ['another version', encoded({ v: 'v2', rv: 1, start: 'a' })],
    ['no revision', encoded({ v: 'meta.k8s.io/v1', start: 'a' })],
    ['half a revision', encoded({ v: 'meta.k8s.io/v1', rv: 1.5, start: 'a' })],
    ['no start', encoded({ v: 'meta.k8s.io/v1', rv: 1, start: '' })],
    ['a start elsewhere', encoded({ v: 'meta.k8s.io/v1', rv: 1, start: '../secrets' })],
  ])('with %s are refused', async (_, token) => {
    const { status, body } = await api.call('GET', `${MAPS}?continue=${token}`);
    expect([status, body.reason]).toEqual([400, 'BadRequest']);
    expect(body.message).toMatch(/^invalid continue token: /);
  });

  it('from the future are refused', async () => {
    const { status } = await api.call('GET', `${MAPS}?continue=${continueTokenFor(9_999, 'a')}`);
    expect(status).toBe(504);
  });

  it('are refused with a resourceVersion', async () => {
    const { body } = await api.call('GET', `${MAPS}?resourceVersion=5&continue=${continueTokenFor(1, 'a')}`);
    expect(body.message).toBe('specifying resource version is not allowed when using continue');
  });
});

describe('the revision of a list', () => {
  it('is exactly the requested one, or any that is not older', async () => {
    const { metadata } = await create('a');
    await create('b');
    const at = (query: string) =>
      api.ok('GET', `${MAPS}?resourceVersion=${metadata.resourceVersion}${query}`);
    expect(namesOf(await at('&resourceVersionMatch=Exact'))).toEqual(['a']);
    expect(namesOf(await at('&resourceVersionMatch=NotOlderThan'))).toEqual(['a', 'b']);
    expect(namesOf(await at(''))).toEqual(['a', 'b']);
    expect(namesOf(await at('&limit=5'))).toEqual(['a']);
  });

  it('may be too old', async () => {
    const { metadata } = await create('a');
    await create('b');
    await api.store.compact(await api.store.currentRevision());
    const { status, body } = await api.call(
      'GET',
      `${MAPS}?resourceVersionMatch=Exact&resourceVersion=${metadata.resourceVersion}`,
    );
    expect([status, body.reason, body.message]).toEqual([
      410,
      'Expired',
      'The resourceVersion for the provided list is too old.',
    ]);
  });

  it.each([
    ['resourceVersion=x', 400],
    ['resourceVersionMatch=Exact', 422],
    ['resourceVersion=0&resourceVersionMatch=Exact', 422],
    ['resourceVersion=1&resourceVersionMatch=Whatever', 422],
    ['limit=x', 400],
  ])('must be valid: %s', async (query, code) => {
    expect((await api.call('GET', `${MAPS}?${query}`)).status).toBe(code);
  });
});

describe('a selection', () => {
  beforeEach(async () => {
    await create('a', { app: 'x', tier: '1' });
    await create('b', { app: 'y' });
    await create('c');
  });

  it.each([
    ['labelSelector=app', ['a', 'b']],
    ['labelSelector=!app', ['c']],
    ['labelSelector=app%20in%20(x,z)', ['a']],
    ['labelSelector=app!%3Dx', ['b', 'c']],
    ['labelSelector=app%3Dx,tier%3D2', []],
    ['fieldSelector=metadata.name%3Db', ['b']],
    ['fieldSelector=metadata.name!%3Db', ['a', 'c']],
    ['fieldSelector=metadata.namespace%3Dkube-system', []],
    ['labelSelector=app&fieldSelector=metadata.name%3Dc', []],
  ])('by %s gives the objects that match', async (query, expected) => {
    expect(namesOf(await api.ok('GET', `${MAPS}?${query}`))).toEqual(expected);
  });

  it.each([
    ['labelSelector=a%3D%3D%3Db', 400],
    ['fieldSelector=data.x%3D1', 400],
    ['fieldSelector=metadata.name', 400],
  ])('that is invalid is refused: %s', async (query, code) => {
    expect((await api.call('GET', `${MAPS}?${query}`)).status).toBe(code);
  });

  it('by a name with commas in the path gets that object alone', async () => {
    const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
    for (const name of ['a,b=c', 'a']) await api.ok('POST', roles, { metadata: { name } });
    const sink = await api.watch('/apis/rbac.authorization.k8s.io/v1/watch/clusterroles/a,b=c');
    expect(await sink.until(1)).toEqual(['ADDED a,b=c']);
  });
});

describe('deleting a collection', () => {
  it('answers with the objects that it deleted', async () => {
    await create('a', { app: 'x' });
    await create('b');
    const deleted = await api.ok('DELETE', `${MAPS}?labelSelector=app`);
    expect([deleted.kind, namesOf(deleted)]).toEqual(['ConfigMapList', ['a']]);
    expect(namesOf(await api.ok('GET', MAPS))).toEqual(['b']);
  });

  it('stops at the first object that cannot be deleted', async () => {
    for (let i = 0; i < 100; i++) await create(`m${i}`);
    const { status } = await api.call('DELETE', MAPS, { preconditions: { uid: 'of-none' } });
    expect(status).toBe(409);
    expect(namesOf(await api.ok('GET', MAPS))).toHaveLength(100);
  });
});
