// Priority levels and flow schemas of a server: what it keeps of its own, and what those of users change.
import { eventually } from '@instar/testing';
import { EmbeddedApi } from '@instar/testing/api';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { revised } from './maintain-flow-control.ts';

const API = '/apis/flowcontrol.apiserver.k8s.io/v1';
const MERGE = { 'content-type': 'application/merge-patch+json' };
let api: EmbeddedApi;

beforeEach(async () => {
  api = await EmbeddedApi.start({ limits: { maxRequestsInflight: 4, maxMutatingRequestsInflight: 2 } });
});
afterEach(() => api.close());

const level = (name: string, shares: number) => ({
  metadata: { name },
  spec: { type: 'Limited', limited: { nominalConcurrencyShares: shares, limitResponse: { type: 'Reject' } } },
});
const schema = (name: string, levelName: string) => ({
  metadata: { name },
  spec: {
    priorityLevelConfiguration: { name: levelName },
    matchingPrecedence: 50,
    rules: [
      {
        subjects: [{ kind: 'User', user: { name: 'jane' } }],
        resourceRules: [{ verbs: ['list'], apiGroups: [''], resources: ['configmaps'], namespaces: ['*'] }],
        nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/version'] }],
      },
    ],
  },
});
const danglingOf = async (name: string): Promise<string | undefined> => {
  const { body } = await api.send('GET', `${API}/flowschemas/${name}`);
  return body.status?.conditions?.find(({ type }: { type: string }) => type === 'Dangling')?.status;
};
const limitOf = async (name: string): Promise<string | undefined> => {
  const { body } = await api.send('GET', '/metrics');
  const line = `apiserver_flowcontrol_nominal_limit_seats{priority_level="${name}"} `;
  return (body as string)
    .split('\n')
    .find((it) => it.startsWith(line))
    ?.slice(line.length);
};

it('says of a flow schema whether its level exists, also when that changes', async () => {
  await api.send('POST', `${API}/flowschemas`, schema('janes', 'hers'));
  await eventually('the schema is dangling', async () => (await danglingOf('janes')) === 'True');
  await api.send('POST', `${API}/prioritylevelconfigurations`, level('hers', 10));
  await eventually('the level is found', async () => (await danglingOf('janes')) === 'False');
  await api.send('DELETE', `${API}/prioritylevelconfigurations/hers`);
  await eventually('the schema is dangling again', async () => (await danglingOf('janes')) === 'True');
});

it('applies a schema to the requests that it matches, soon after it was created', async () => {
  const made = await api.send('POST', `${API}/prioritylevelconfigurations`, level('none', 0));
  expect(made.status).toBe(201);
  await api.send('POST', `${API}/flowschemas`, schema('janes', 'none'));
  await eventually('a request of jane belongs to the schema', async () => {
    await api.send('GET', '/version', undefined, { 'impersonate-user': 'jane' });
    const text = (await api.send('GET', '/metrics')).body as string;
    return /dispatched_requests_total{priority_level="none",flow_schema="janes"} [1-9]/.test(text);
  });
});

it('divides the seats anew when the shares of a level change', async () => {
  await api.send('POST', `${API}/prioritylevelconfigurations`, level('hers', 245));
  await eventually('half of the seats', async () => (await limitOf('hers')) === '3');
  await api.send('PATCH', `${API}/prioritylevelconfigurations/hers`, level('hers', 0), MERGE);
  await eventually('none', async () => (await limitOf('hers')) === '0');
});

const specOf = async (plural: string, name: string) =>
  (await api.send('GET', `${API}/${plural}/${name}`)).body.spec;

it('has those of kube-apiserver from the start', async () => {
  expect((await specOf('flowschemas', 'probes')).priorityLevelConfiguration.name).toBe('exempt');
  expect((await specOf('prioritylevelconfigurations', 'workload-low')).limited.nominalConcurrencyShares).toBe(
    100,
  );
});

const AUTO_UPDATE = 'apf.kubernetes.io/autoupdate-spec';
const object = (metadata: object, spec: object) =>
  ({ apiVersion: 'v1', kind: 'FlowSchema', metadata: { name: 'x', ...metadata }, spec }) as never;

it('restores what is maintained, and leaves alone what an operator has taken over', () => {
  const wanted = object({}, { a: 1 });
  const auto = (value: string) => ({ annotations: { [AUTO_UPDATE]: value } });
  expect(revised(object(auto('true'), { a: 1 }), wanted)).toBeUndefined();
  expect(revised(object(auto('true'), { a: 2 }), wanted)).toMatchObject({ spec: { a: 1 } });
  expect(revised(object(auto('false'), { a: 2 }), wanted)).toBeUndefined();
});

it('takes an object without the annotation for its own as long as nobody has changed it', () => {
  const wanted = object({}, { a: 1 });
  expect(revised(object({ generation: 1 }, { a: 2 }), wanted)).toMatchObject({
    metadata: { annotations: { [AUTO_UPDATE]: 'true' } },
    spec: { a: 1 },
  });
  expect(revised(object({ generation: 2 }, { a: 2 }), wanted)).toMatchObject({
    metadata: { annotations: { [AUTO_UPDATE]: 'false' } },
    spec: { a: 2 },
  });
});

it('keeps the shares that an operator gave to exempt requests', () => {
  const exempt = (shares: number, name = 'exempt') =>
    object({ name, annotations: { [AUTO_UPDATE]: 'true' } }, { type: 'Exempt', exempt: { shares } });
  expect(revised(exempt(5), exempt(0))).toBeUndefined();
});
