import { SILENT } from '@instar/serving';
import { eventually, settled } from '@instar/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Json, TestApi } from '../../testing/test-api.ts';
import { NamespaceController } from './namespace-controller.ts';

const NAMESPACE = '/api/v1/namespaces/team';
let api: TestApi;
let controller: NamespaceController;

beforeEach(async () => {
  api = await TestApi.start();
  await api.ok('POST', '/api/v1/namespaces', { metadata: { name: 'team' } });
  controller = new NamespaceController(api.registry, api.resource('', 'namespaces'), SILENT);
});
afterEach(async () => {
  vi.useRealTimers();
  await controller.stop();
  await api.close();
});

const statusOf = async (url: string) => (await api.call('GET', url)).status;
const gone = () => eventually('the namespace to go', async () => (await statusOf(NAMESPACE)) === 404);
const map = (name: string, finalizers: string[] = []) =>
  api.ok('POST', `${NAMESPACE}/configmaps`, { metadata: { name, finalizers } });

it('deletes a namespace with its contents, but nothing in other namespaces', async () => {
  await controller.start();
  await map('a');
  await api.ok('POST', `${NAMESPACE}/secrets`, { metadata: { name: 'b' } });
  await api.ok('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'stays' } });
  const { status } = await api.ok('DELETE', NAMESPACE);
  expect(status.phase).toBe('Terminating');
  await gone();
  expect(await statusOf(`${NAMESPACE}/configmaps/a`)).toBe(404);
  expect(await statusOf('/api/v1/namespaces/default/configmaps/stays')).toBe(200);
});

it('finishes deletions that were in progress when the server starts', async () => {
  await map('a');
  await api.ok('DELETE', NAMESPACE);
  await controller.start();
  await gone();
});

it('continues after the watches of the store were lost', async () => {
  await controller.start();
  api.store.endWatches();
  await settled();
  await api.ok('DELETE', NAMESPACE);
  await gone();
});

describe('contents with finalizers', () => {
  it('keep the namespace, which reports it, until they are deleted', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    await controller.start();
    await map('held', ['example.com/hold']);
    await api.ok('DELETE', NAMESPACE);
    const conditions = async (): Promise<Json[]> => (await api.ok('GET', NAMESPACE)).status.conditions ?? [];
    await eventually('conditions of the namespace', async () => (await conditions()).length > 0);
    expect(await conditions()).toContainEqual(
      expect.objectContaining({
        type: 'NamespaceContentRemaining',
        status: 'True',
        message: 'Some resources are remaining: configmaps. has 1 resource instances',
      }),
    );
    await api.ok('PATCH', `${NAMESPACE}/configmaps/held`, { metadata: { finalizers: null } });
    await vi.advanceTimersByTimeAsync(500);
    await gone();
  });

  it('cannot be added to', async () => {
    await controller.start();
    await map('held', ['example.com/hold']);
    await api.ok('DELETE', NAMESPACE);
    const { status, body } = await api.call('POST', `${NAMESPACE}/configmaps`, {
      metadata: { name: 'late' },
    });
    expect([status, body.reason, body.details.causes[0].reason]).toEqual([
      403,
      'Forbidden',
      'NamespaceTerminating',
    ]);
  });
});

it('keeps a namespace that has other finalizers under spec', async () => {
  await controller.start();
  const namespace = await api.ok('GET', NAMESPACE);
  namespace.spec.finalizers = ['kubernetes', 'example.com/mine'];
  await api.ok('PUT', `${NAMESPACE}/finalize`, namespace);
  await api.ok('DELETE', NAMESPACE);
  await eventually(
    'the finalizer of the server to be taken off',
    async () => (await api.ok('GET', NAMESPACE)).spec.finalizers.length === 1,
  );
  expect((await api.ok('GET', NAMESPACE)).spec.finalizers).toEqual(['example.com/mine']);
});
