import { SILENT } from '@instar/serving';
import { eventually } from '@instar/testing';
import { afterEach, beforeEach, it } from 'vitest';
import { TestApi } from '../../testing/test-api.ts';
import { QuotaController } from './quota-controller.ts';

const CORE = '/api/v1/namespaces/default';
let api: TestApi;
let controller: QuotaController;

beforeEach(async () => {
  api = await TestApi.start();
  controller = new QuotaController(api.registry, SILENT);
  await controller.start();
});
afterEach(async () => {
  await controller.stop();
  await api.close();
});

const quota = (hard: Record<string, string>, spec: object = {}) =>
  api.ok('POST', `${CORE}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard, ...spec } });
const used = async (): Promise<Record<string, string>> =>
  (await api.ok('GET', `${CORE}/resourcequotas/q`)).status.used;
const untilUsed = (wanted: Record<string, string>) =>
  eventually(
    `the usage ${JSON.stringify(wanted)}`,
    async () => JSON.stringify(await used()) === JSON.stringify(wanted),
  );
const pod = (name: string, cpu: string, spec: object = {}) =>
  api.ok('POST', `${CORE}/pods`, {
    metadata: { name },
    spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu } } }], ...spec },
  });

it('counts what is there when the quota is created, and what comes and goes', async () => {
  await api.ok('POST', `${CORE}/configmaps`, { metadata: { name: 'a' } });
  await quota({ configmaps: '5', 'count/configmaps': '5', 'count/deployments.apps': '1' });
  await untilUsed({ configmaps: '1', 'count/configmaps': '1', 'count/deployments.apps': '0' });
  await api.ok('POST', `${CORE}/configmaps`, { metadata: { name: 'b' } });
  await untilUsed({ configmaps: '2', 'count/configmaps': '2', 'count/deployments.apps': '0' });
  await api.ok('DELETE', `${CORE}/configmaps/a`);
  await untilUsed({ configmaps: '1', 'count/configmaps': '1', 'count/deployments.apps': '0' });
});

it('adds up what pods request, until they have ended', async () => {
  await quota({ pods: '5', 'requests.cpu': '2' });
  await pod('a', '500m');
  await pod('b', '1');
  await untilUsed({ pods: '2', 'requests.cpu': '1500m' });
  await api.ok('PATCH', `${CORE}/pods/b/status`, { status: { phase: 'Succeeded' } });
  await untilUsed({ pods: '1', 'requests.cpu': '500m' });
});

it('counts the pods that its scopes are about', async () => {
  await quota({ pods: '5' }, { scopes: ['Terminating'] });
  await pod('a', '1');
  await pod('b', '1', { activeDeadlineSeconds: 60 });
  await untilUsed({ pods: '1' });
});

it('says nothing of the usage of what it does not know', async () => {
  await quota({ 'count/unknown.example.com': '1', secrets: '1' });
  await untilUsed({ secrets: '0' });
});

it('puts the usage right when somebody changes it', async () => {
  await quota({ secrets: '3' });
  await untilUsed({ secrets: '0' });
  await api.ok('PATCH', `${CORE}/resourcequotas/q/status`, { status: { used: { secrets: '2' } } });
  await untilUsed({ secrets: '0' });
});
