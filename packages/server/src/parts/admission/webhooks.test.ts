import { eventually } from '@instar/testing';
import { EmbeddedApi } from '@instar/testing/api';
import { AdmissionWebhook, ConversionWebhook } from '@instar/testing/webhooks';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const REGISTRATION = '/apis/admissionregistration.k8s.io';
const MAPS = '/api/v1/namespaces/default/configmaps';

let api: EmbeddedApi;
let webhook: AdmissionWebhook;
beforeAll(async () => {
  webhook = await new AdmissionWebhook(['127.0.0.1', 'hook.default.svc']).start();
  api = await EmbeddedApi.start({ serviceResolver: { 'default/hook': `127.0.0.1:${webhook.port}` } });
});
afterAll(async () => {
  await api.close();
  await webhook.stop();
});
afterEach(async () => {
  for (const plural of ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'])
    await api.send('DELETE', `${REGISTRATION}/v1/${plural}/c`);
  webhook.decide = () => ({ allowed: true });
  webhook.take();
});

const rules = [
  {
    apiGroups: [''],
    apiVersions: ['v1'],
    operations: ['CREATE', 'UPDATE', 'DELETE'],
    resources: ['configmaps', 'namespaces', 'events'],
  },
];

async function configure(
  plural: 'mutating' | 'validating',
  change: object = {},
  version = 'v1',
): Promise<void> {
  const own = {
    name: 'w.example.com',
    rules,
    clientConfig: { url: `${webhook.url}/path`, caBundle: webhook.caBundle },
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...change,
  };
  const { status, body } = await api.send(
    'POST',
    `${REGISTRATION}/${version}/${plural}webhookconfigurations`,
    {
      metadata: { name: 'c' },
      webhooks: [own],
    },
  );
  expect(status, JSON.stringify(body)).toBe(201);
}

const map = (name: string, data: object = {}) => ({ metadata: { name }, data });

describe('admission webhooks over TLS', () => {
  it('at a URL that cannot be connected to are ignored or fail by their failurePolicy', async () => {
    for (const [url, reason] of [
      ['https://127.0.0.1:99999/', 'dial tcp: address 99999: invalid port'],
      ['https://127.0.0.1.5/', 'dial tcp: lookup 127.0.0.1.5'],
    ]) {
      await configure('validating', { clientConfig: { url }, failurePolicy: 'Ignore' });
      expect((await api.send('POST', `${MAPS}?dryRun=All`, map('a'))).status).toBe(201);
      await api.send('DELETE', `${REGISTRATION}/v1/validatingwebhookconfigurations/c`);
      await configure('validating', { clientConfig: { url }, failurePolicy: 'Fail' });
      const { body } = await api.send('POST', `${MAPS}?dryRun=All`, map('a'));
      expect(body.message).toContain(`failed calling webhook "w.example.com": failed to call webhook: Post`);
      expect(body.message).toContain(reason);
      await api.send('DELETE', `${REGISTRATION}/v1/validatingwebhookconfigurations/c`);
    }
  });

  it('change built-in kinds, which are decoded again', async () => {
    await configure('mutating');
    webhook.decide = () => ({
      allowed: true,
      patch: [
        { op: 'add', path: '/data/by', value: 'webhook' },
        { op: 'add', path: '/unknown', value: 1 },
      ],
      warnings: ['changed'],
    });
    const { body, warnings } = await api.send('POST', `${MAPS}?dryRun=All`, map('a', { k: 'v' }));
    expect(body).toMatchObject({ kind: 'ConfigMap', data: { k: 'v', by: 'webhook' } });
    expect(body).not.toHaveProperty('unknown');
    expect(warnings).toEqual(['changed']);
    webhook.decide = () => ({ allowed: true, patch: [{ op: 'add', path: '/data/by', value: 3 }] });
    expect((await api.send('POST', `${MAPS}?dryRun=All`, map('a', { k: 'v' }))).body).toMatchObject({
      code: 500,
      message:
        'Internal error occurred: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    });
  });

  it('may remove apiVersion and kind of a built-in kind, which are known', async () => {
    await configure('mutating');
    webhook.decide = () => ({ allowed: true, patch: [{ op: 'remove', path: '/kind' }] });
    const { status, body } = await api.send('POST', MAPS, map('kindless', { a: 'b' }));
    expect([status, body.kind, body.apiVersion]).toEqual([201, 'ConfigMap', 'v1']);
  });

  it('that are services can get reviews of v1beta1', async () => {
    await configure('validating', {
      clientConfig: {
        service: { namespace: 'default', name: 'hook', path: '/svc' },
        caBundle: webhook.caBundle,
      },
      admissionReviewVersions: ['v1beta1'],
    });
    webhook.decide = () => ({ allowed: false, message: 'no' });
    const { body } = await api.send('POST', MAPS, map('a'));
    expect(body).toMatchObject({
      code: 400,
      message: 'admission webhook "w.example.com" denied the request: no',
    });
    expect(webhook.take()).toMatchObject([
      { url: '/svc?timeout=10s', review: { apiVersion: 'admission.k8s.io/v1beta1' } },
    ]);
  });

  it('are configured in v1beta1, with the defaults of that version', async () => {
    await configure('validating', { sideEffects: undefined, admissionReviewVersions: undefined }, 'v1beta1');
    const read = await api.send('GET', `${REGISTRATION}/v1/validatingwebhookconfigurations/c`);
    expect(read.body).toMatchObject({
      apiVersion: 'admissionregistration.k8s.io/v1',
      webhooks: [{ failurePolicy: 'Ignore', sideEffects: 'Unknown', timeoutSeconds: 30 }],
    });
    expect((await api.send('POST', MAPS, map('beta'))).status).toBe(201);
    expect(webhook.take()).toHaveLength(1);
    const dry = await api.send('POST', `${MAPS}?dryRun=All`, map('beta2'));
    expect(dry.body.message).toBe('admission webhook "w.example.com" does not support dry run');
    await api.send('DELETE', `${MAPS}/beta`);
  });

  it('get namespaces as objects in themselves', async () => {
    await configure('validating', { namespaceSelector: { matchLabels: { team: 'red' } } });
    await api.send('POST', '/api/v1/namespaces', { metadata: { name: 'plain' } });
    expect(webhook.take()).toEqual([]);
    await api.send('POST', '/api/v1/namespaces', { metadata: { name: 'red', labels: { team: 'red' } } });
    expect(webhook.take()).toMatchObject([
      { review: { request: { name: 'red', namespace: 'red', operation: 'CREATE' } } },
    ]);
  });

  it('get a resource of two groups in the group of their rules', async () => {
    await configure('validating');
    const event = {
      metadata: { name: 'e' },
      eventTime: '2024-01-01T00:00:00.000000Z',
      action: 'a',
      reason: 'r',
      type: 'Normal',
      reportingController: 'x.example.com/c',
      reportingInstance: 'i',
      note: 'said',
      regarding: { namespace: 'default' },
    };
    const made = await api.send('POST', '/apis/events.k8s.io/v1/namespaces/default/events', event);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    expect(webhook.take()).toMatchObject([
      {
        review: {
          request: {
            resource: { group: '' },
            requestResource: { group: 'events.k8s.io' },
            object: { apiVersion: 'v1', message: 'said' },
          },
        },
      },
    ]);
  });

  it('get custom resources in their version through a conversion webhook', async () => {
    const converter = new ConversionWebhook();
    await converter.start();
    const group = 'admitted.example.com';
    const schema = {
      openAPIV3Schema: {
        type: 'object',
        properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    };
    const clientConfig = { url: converter.url, caBundle: converter.caBundle };
    await api.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: `crontabs.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { plural: 'crontabs', singular: 'crontab', kind: 'CronTab' },
        versions: ['v1', 'v2'].map((name) => ({ name, served: true, storage: name === 'v1', schema })),
        conversion: { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } },
      },
    });
    const all = `/apis/${group}/v2/namespaces/default/crontabs`;
    const body = {
      apiVersion: `${group}/v2`,
      kind: 'CronTab',
      metadata: { name: 'a' },
      spec: { schedule: '* *' },
    };
    await eventually('the definition to be served', async () => (await api.send('GET', all)).status === 200);
    await configure('mutating', {
      rules: [{ apiGroups: [group], apiVersions: ['v1'], operations: ['*'], resources: ['crontabs'] }],
    });
    webhook.decide = ({ object }) => ({
      allowed: true,
      patch: [{ op: 'replace', path: '/spec/cronSpec', value: `${object.spec.cronSpec} *` }],
    });
    const made = await api.send('POST', all, body);
    expect(made.body).toMatchObject({ apiVersion: `${group}/v2`, spec: { schedule: '* * *' } });
    expect(made.body.spec).not.toHaveProperty('cronSpec');
    await converter.stop();
    const failed = await api.send('POST', all, { ...body, metadata: { name: 'b' } });
    expect(failed.body).toMatchObject({
      code: 500,
      message: expect.stringMatching(
        /^Internal error occurred: Internal error occurred: conversion webhook for/,
      ),
    });
  });

  it('are called by every write that races for an object, with the newest state', async () => {
    await api.send('POST', MAPS, map('raced', { n: '0' }));
    await configure('validating', { rules: [{ ...rules[0], operations: ['UPDATE'] }] });
    const writes = Array.from({ length: 8 }, (_, i) =>
      api.send('PATCH', `${MAPS}/raced`, { data: { [`k${i}`]: 'v' } }),
    );
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(Array(8).fill(200));
    const { data } = (await api.send('GET', `${MAPS}/raced`)).body;
    expect(Object.keys(data)).toHaveLength(9);
  });

  it('are counted in the metrics by name, type and outcome', async () => {
    await configure('validating');
    webhook.decide = () => ({ allowed: false, message: 'no' });
    await api.send('POST', MAPS, map('counted'));
    const { body } = await api.send('GET', '/metrics');
    expect(body).toMatch(
      /apiserver_admission_webhook_rejection_count\{name="w.example.com",type="validating",operation="CREATE",error_type="no_error",rejection_code="400"\} \d/,
    );
    expect(body).toMatch(
      /apiserver_admission_webhook_admission_duration_seconds_count\{name="w.example.com",type="validating",operation="CREATE",rejected="true"\}/,
    );
    expect(body).toMatch(
      /apiserver_admission_step_admission_duration_seconds_count\{type="validate",operation="CREATE",rejected="true"\}/,
    );
    expect(body).toMatch(
      /apiserver_admission_webhook_request_total\{name="w.example.com",type="validating",operation="CREATE",code="400",rejected="true"\}/,
    );
  });
});
