// Instar and kube-apiserver can read each other's custom resources and definitions in one etcd: keys and
// values as kube-apiserver 1.36 writes them (custom resources as JSON of sorted members with a trailing
// newline, definitions as JSON of v1beta1, built-in kinds as protobuf).
import { MetricsRegistry, SILENT } from '@instar/serving';
import { eventually } from '@instar/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createConversionMetrics } from '../api/metrics/conversion-metrics.ts';
import { Converters } from '../parts/custom/converters.ts';
import { CrdController } from '../parts/custom/crd-controller.ts';
import { TestApi } from '../testing/test-api.ts';
import { encodeProtobuf } from '../wire/protobuf/encode.ts';

const DEFINITION_KEY = '/registry/apiextensions.k8s.io/customresourcedefinitions/crontabs.stable.example.com';
const DEFINITION = `${JSON.stringify({
  kind: 'CustomResourceDefinition',
  apiVersion: 'apiextensions.k8s.io/v1beta1',
  metadata: {
    name: 'crontabs.stable.example.com',
    uid: '6d1bd9ab-5bb5-4ad8-a0b0-1c6f2a7f6a0e',
    generation: 1,
    creationTimestamp: '2026-05-01T10:00:00Z',
  },
  spec: {
    group: 'stable.example.com',
    version: 'v1',
    names: { plural: 'crontabs', singular: 'crontab', kind: 'CronTab', listKind: 'CronTabList' },
    scope: 'Namespaced',
    validation: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            properties: { cronSpec: { type: 'string' }, replicas: { type: 'integer', default: 1 } },
          },
        },
      },
    },
    versions: [{ name: 'v1', served: true, storage: true }],
    conversion: { strategy: 'None' },
    preserveUnknownFields: false,
  },
  status: {
    conditions: [
      {
        type: 'NamesAccepted',
        status: 'True',
        lastTransitionTime: '2026-05-01T10:00:00Z',
        reason: 'NoConflicts',
        message: 'no conflicts found',
      },
      {
        type: 'Established',
        status: 'True',
        lastTransitionTime: '2026-05-01T10:00:05Z',
        reason: 'InitialNamesAccepted',
        message: 'the initial names have been accepted',
      },
    ],
    acceptedNames: { plural: 'crontabs', singular: 'crontab', kind: 'CronTab', listKind: 'CronTabList' },
    storedVersions: ['v1'],
  },
})}\n`;
const OBJECT_KEY = '/registry/stable.example.com/crontabs/default/my-new-cron-object';
const OBJECT =
  '{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"creationTimestamp":"2026-05-01T10:01:00Z","generation":1,' +
  '"managedFields":[{"apiVersion":"stable.example.com/v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{".":{},"f:cronSpec":{}}},' +
  '"manager":"kubectl-create","operation":"Update","time":"2026-05-01T10:01:00Z"}],"name":"my-new-cron-object","namespace":"default",' +
  '"uid":"1f0b8a2e-9d6c-4f7c-8a41-5a1d4a2b9c3d"},"spec":{"cronSpec":"* * * * */5"}}\n';
const CRONTABS = '/apis/stable.example.com/v1/namespaces/default/crontabs';

let api: TestApi;
let controller: CrdController;
beforeEach(async () => {
  api = await TestApi.start();
  const converters = new Converters({} as never, createConversionMetrics(new MetricsRegistry()));
  controller = new CrdController(
    api.registry,
    api.resource('apiextensions.k8s.io', 'customresourcedefinitions'),
    converters,
    SILENT,
  );
});
afterEach(async () => {
  await controller.stop();
  await api.close();
});

const put = (key: string, value: string | Uint8Array) =>
  api.store.commit({
    conditions: [],
    operations: [{ type: 'put', key, value: typeof value === 'string' ? Buffer.from(value) : value }],
  });
const stored = async (key: string) => JSON.parse(Buffer.from((await api.store.get(key))!.value).toString());

describe('objects that kube-apiserver has written', () => {
  it('are served with their definition of v1beta1', async () => {
    await put(DEFINITION_KEY, DEFINITION);
    const { revision } = await put(OBJECT_KEY, OBJECT);
    await controller.start();
    const definition = await api.ok(
      'GET',
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/crontabs.stable.example.com',
    );
    expect(definition).toMatchObject({
      apiVersion: 'apiextensions.k8s.io/v1',
      spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema: { type: 'object' } } }] },
    });
    const object = await api.ok('GET', `${CRONTABS}/my-new-cron-object`);
    expect(object).toEqual({
      ...JSON.parse(OBJECT),
      metadata: { ...JSON.parse(OBJECT).metadata, resourceVersion: String(revision) },
      spec: { cronSpec: '* * * * */5', replicas: 1 },
    });
  });

  it('are changed and deleted under their keys', async () => {
    await put(DEFINITION_KEY, DEFINITION);
    await put(OBJECT_KEY, OBJECT);
    await controller.start();
    await api.ok('PATCH', `${CRONTABS}/my-new-cron-object`, { spec: { cronSpec: '0 0 * * *' } });
    expect(await stored(OBJECT_KEY)).toMatchObject({
      metadata: { uid: JSON.parse(OBJECT).metadata.uid, generation: 2 },
      spec: { cronSpec: '0 0 * * *' },
    });
    await api.ok('DELETE', `${CRONTABS}/my-new-cron-object`);
    expect(await api.store.get(OBJECT_KEY)).toBeUndefined();
  });

  it('are read from protobuf, as built-in kinds are stored', async () => {
    const namespace = {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {
        name: 'theirs',
        uid: 'c4b1e3c6-4c42-4d1f-8f0f-3a6f1a0a5d11',
        creationTimestamp: '2026-05-01T10:00:00Z',
        labels: { 'kubernetes.io/metadata.name': 'theirs' },
      },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    };
    const { revision } = await put('/registry/namespaces/theirs', encodeProtobuf(namespace)!);
    const read = await api.ok('GET', '/api/v1/namespaces/theirs');
    expect(read).toEqual({
      ...namespace,
      metadata: { ...namespace.metadata, resourceVersion: String(revision) },
    });
  });
});

describe('objects that Instar has written', () => {
  it("are stored under kube-apiserver's keys, as JSON without a resourceVersion", async () => {
    await put(DEFINITION_KEY, DEFINITION);
    await controller.start();
    const made = await api.ok('POST', CRONTABS, {
      apiVersion: 'stable.example.com/v1',
      kind: 'CronTab',
      metadata: { name: 'ours' },
      spec: { cronSpec: 'x' },
    });
    const { resourceVersion: _, ...metadata } = made.metadata;
    expect(await stored('/registry/stable.example.com/crontabs/default/ours')).toEqual({ ...made, metadata });
    await api.ok('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'map' } });
    await api.ok('POST', '/api/v1/namespaces/default/services', {
      metadata: { name: 'svc' },
      spec: { ports: [{ port: 80 }] },
    });
    const keys = (await api.store.list({ prefix: '/registry/' })).entries.map(({ key }) => key);
    expect(keys).toEqual(
      expect.arrayContaining([
        '/registry/configmaps/default/map',
        '/registry/services/specs/default/svc',
        '/registry/namespaces/default',
      ]),
    );
  });

  it('include definitions in a version that kube-apiserver can read', async () => {
    await controller.start();
    const { kind, spec, metadata } = JSON.parse(DEFINITION);
    const { validation, version: _version, preserveUnknownFields: _preserve, versions, ...rest } = spec;
    const v1 = { ...rest, versions: [{ ...versions[0], schema: validation }] };
    await api.ok('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind,
      metadata: { name: metadata.name },
      spec: v1,
    });
    await eventually(
      'the definition to be served',
      async () => (await api.call('GET', CRONTABS)).status === 200,
    );
    const value = await stored(DEFINITION_KEY);
    expect(value).toMatchObject({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind,
      spec: v1,
      status: { storedVersions: ['v1'] },
    });
    expect(value.metadata.resourceVersion).toBeUndefined();
  });
});
