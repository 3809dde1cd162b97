import { SILENT } from '@instar/serving';
import { eventually } from '@instar/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Json, TestApi } from '../../testing/test-api.ts';
import { disruptionController } from './disruption-controller.ts';
import type { KeyedController } from './keyed-controller.ts';

const CORE = '/api/v1/namespaces/default';
const BUDGETS = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
let api: TestApi;
let controller: KeyedController;

beforeEach(async () => {
  api = await TestApi.start();
  controller = disruptionController(api.registry, SILENT);
  await controller.start();
});
afterEach(async () => {
  await controller.stop();
  await api.close();
});

const budget = (spec: object) =>
  api.ok('POST', BUDGETS, {
    metadata: { name: 'b' },
    spec: { selector: { matchLabels: { app: 'a' } }, ...spec },
  });
const statusOf = async (): Promise<Json> => (await api.ok('GET', `${BUDGETS}/b`)).status;

async function pods(count: number, ownerReferences: object[] = []): Promise<void> {
  for (let i = 0; i < count; i++) {
    await api.ok('POST', `${CORE}/pods`, {
      metadata: { name: `p${i}`, labels: { app: 'a' }, ownerReferences },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    });
    await api.ok('PATCH', `${CORE}/pods/p${i}/status`, {
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    });
  }
}

it('allows as many disruptions as there are more healthy pods than needed', async () => {
  await budget({ minAvailable: 2 });
  await pods(3);
  await eventually('one disruption', async () => (await statusOf()).disruptionsAllowed === 1);
  expect(await statusOf()).toMatchObject({
    currentHealthy: 3,
    desiredHealthy: 2,
    expectedPods: 3,
    observedGeneration: 1,
    conditions: [{ type: 'DisruptionAllowed', status: 'True', reason: 'SufficientPods' }],
  });
});

it('lets pods be evicted until none may be, and again when others are ready', async () => {
  await budget({ minAvailable: 1 });
  await pods(2);
  await eventually('one disruption', async () => (await statusOf()).disruptionsAllowed === 1);
  const evict = (name: string) =>
    api.call('POST', `${CORE}/pods/${name}/eviction`, {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name },
    });
  expect((await evict('p0')).status).toBe(201);
  await eventually('none any more', async () => (await statusOf()).currentHealthy === 1);
  expect((await evict('p1')).status).toBe(429);
});

it('takes a percentage of the scale of what controls the pods', async () => {
  const set = await api.ok('POST', '/apis/apps/v1/namespaces/default/replicasets', {
    metadata: { name: 'r' },
    spec: {
      replicas: 10,
      selector: { matchLabels: { app: 'a' } },
      template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  });
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'r', uid: set.metadata.uid };
  await budget({ maxUnavailable: '25%' });
  await pods(8, [{ ...owner, controller: true }]);
  await eventually('eight healthy pods', async () => (await statusOf()).currentHealthy === 8);
  expect(await statusOf()).toMatchObject({ expectedPods: 10, desiredHealthy: 7, disruptionsAllowed: 1 });
});

it('allows nothing, and says why, if what controls a pod is not there', async () => {
  await budget({ maxUnavailable: 1 });
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'gone', uid: 'x', controller: true };
  await pods(1, [owner]);
  await eventually('the reason', async () => (await statusOf()).conditions?.[0]?.reason === 'SyncFailed');
  expect(await statusOf()).toMatchObject({
    disruptionsAllowed: 0,
    conditions: [{ status: 'False', message: 'found no controllers for pod "p0"' }],
  });
});
