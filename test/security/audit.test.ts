// What the audit log says of requests, and what it must never say.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AuditOptions, parseAuditPolicy } from '@instar/server';
import { eventually, temporaryFolder } from '@instar/testing';
import { EmbeddedApi } from '@instar/testing/api';
import { expect, it, onTestFinished } from 'vitest';

const folder = temporaryFolder();
const batch = { bufferSize: 3, maxBatchSize: 1, maxWaitMs: 0 };
const SECRETS = '/api/v1/namespaces/default/secrets';
const MAPS = '/api/v1/namespaces/default/configmaps';

const policy = (...rules: object[]): AuditOptions['policy'] =>
  parseAuditPolicy(JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules }));

async function start(audit: AuditOptions): Promise<EmbeddedApi> {
  const api = await EmbeddedApi.start({ audit });
  onTestFinished(() => api.close());
  return api;
}

function logTo(
  path: string,
  mode: 'blocking' | 'blocking-strict' = 'blocking',
): NonNullable<AuditOptions['log']> {
  const rotation = { maxAgeDays: 0, maxBackups: 0, maxMegabytes: 0, compress: false };
  return { path, format: 'json', mode, batch, ...rotation };
}

const eventsIn = (file: string) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const metric = async (api: EmbeddedApi, name: string): Promise<number> => {
  const { body } = await api.send('GET', '/metrics');
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(body)?.[1] ?? 0);
};

it('at level Metadata, nothing of a secret is in the log, whatever is done with it', async () => {
  const file = join(folder, 'metadata.log');
  const api = await start({
    policy: policy(
      { level: 'Metadata', resources: [{ group: '', resources: ['secrets'] }] },
      { level: 'RequestResponse' },
    ),
    log: logTo(file),
  });
  const body = { metadata: { name: 's' }, stringData: { password: 'do-not-tell' } };
  expect((await api.send('POST', SECRETS, body)).status).toBe(201);
  await api.send('PUT', `${SECRETS}/s`, body);
  await api.send('PATCH', `${SECRETS}/s`, { stringData: { other: 'do-not-tell' } });
  await api.send('GET', SECRETS);
  await api.send('POST', SECRETS, { ...body, data: 'do-not-tell' });
  await api.send('DELETE', `${SECRETS}/s`);
  const text = readFileSync(file, 'utf8');
  for (const told of ['do-not-tell', Buffer.from('do-not-tell').toString('base64'), 'password"'])
    expect(text).not.toContain(told);
  const complete = eventsIn(file).filter(({ stage }) => stage === 'ResponseComplete');
  expect(complete.map(({ verb, responseStatus }) => `${verb} ${responseStatus.code}`)).toEqual([
    'create 201',
    'update 200',
    'patch 200',
    'list 200',
    'create 400',
    'delete 200',
  ]);
});

it('at level RequestResponse, bodies are there in JSON, whatever the client negotiated', async () => {
  const file = join(folder, 'bodies.log');
  const api = await start({
    policy: policy({ level: 'RequestResponse', omitStages: ['RequestReceived'], omitManagedFields: true }),
    log: logTo(file),
  });
  await api.send('POST', MAPS, { metadata: { name: 'm' }, data: { a: '1' } }, { accept: 'application/yaml' });
  const accept = 'application/vnd.kubernetes.protobuf';
  await api.send('PATCH', `${MAPS}/m`, { data: { a: '2' } }, { accept });
  await api.send('DELETE', `${MAPS}/m`, { propagationPolicy: 'Background' }, { accept });
  const [created, patched, deleted] = eventsIn(file);
  expect(created).toMatchObject({
    objectRef: { resource: 'configmaps', namespace: 'default', name: 'm', apiVersion: 'v1' },
    requestObject: { kind: 'ConfigMap', data: { a: '1' } },
    responseObject: { kind: 'ConfigMap', data: { a: '1' } },
    annotations: { 'authorization.k8s.io/decision': 'allow' },
  });
  expect(created.responseObject.metadata.managedFields).toBeUndefined();
  expect(patched).toMatchObject({
    requestObject: { data: { a: '2' } },
    responseObject: { data: { a: '2' } },
  });
  expect(deleted).toMatchObject({
    requestObject: { kind: 'DeleteOptions', propagationPolicy: 'Background' },
    responseObject: { kind: 'Status', status: 'Success' },
    responseStatus: { status: 'Success', code: 200 },
  });
});

it('a watch has an event when it begins and one when it ends', async () => {
  const file = join(folder, 'watch.log');
  const api = await start({ policy: policy({ level: 'Metadata', verbs: ['watch'] }), log: logTo(file) });
  const events: unknown[] = [];
  for await (const event of api.watch(`${MAPS}?watch=true&timeoutSeconds=1`)) events.push(event);
  const stages = () => eventsIn(file).map(({ stage }) => stage);
  await eventually('the events of the watch', () => stages().length === 3);
  expect(stages()).toEqual(['RequestReceived', 'ResponseStarted', 'ResponseComplete']);
});

it('who fails to authenticate is recorded without a user', async () => {
  const file = join(folder, 'unauthenticated.log');
  const api = await start({ policy: policy({ level: 'Metadata' }), log: logTo(file) });
  await api.send('GET', MAPS, undefined, { authorization: 'Bearer wrong', 'audit-id': 'mine' });
  expect(eventsIn(file)).toMatchObject([
    {
      auditID: 'mine',
      stage: 'ResponseStarted',
      user: {},
      responseStatus: { code: 401, reason: 'Unauthorized' },
    },
  ]);
});

it('a webhook that hangs holds up no request in the mode batch, and drops are counted', async () => {
  const send = () => new Promise<void>(() => {});
  const api = await start({
    policy: policy({ level: 'Metadata', resources: [{ group: '', resources: ['configmaps'] }] }),
    webhook: { mode: 'batch', batch, send, initialBackoffMs: 10_000 },
  });
  // 16 batches of one event are on their way, and 3 wait.
  for (let i = 0; i < 20; i++) expect((await api.send('GET', MAPS)).status).toBe(200);
  expect(await metric(api, 'apiserver_audit_event_total')).toBe(40);
  expect(await metric(api, 'apiserver_audit_error_total\\{plugin="buffered"\\}')).toBe(40 - 16 - 3);
});

it('in the mode blocking-strict, a request whose event cannot be stored is refused', async () => {
  const send = () => Promise.reject(new Error('nobody is there'));
  const api = await start({
    policy: policy({ level: 'Metadata', resources: [{ group: '', resources: ['configmaps'] }] }),
    webhook: { mode: 'blocking-strict', batch, send, initialBackoffMs: 1 },
  });
  expect(await api.send('GET', MAPS)).toMatchObject({
    status: 500,
    body: `Internal Server Error: "${MAPS}": failed to store audit event\n`,
  });
  expect(await metric(api, 'apiserver_audit_requests_rejected_total')).toBe(1);
});
