// What --disable-admission-plugins turns off, with webhooks that nobody listens for: if they were called,
// every write would fail.
import { EmbeddedApi } from '@instar/testing/api';
import { afterEach, describe, expect, it } from 'vitest';

let api: EmbeddedApi;
afterEach(() => api.close());

const REGISTRATION = '/apis/admissionregistration.k8s.io/v1';
const map = (name: string) => ({ metadata: { name } });

const unreachable = (name: string) => ({
  metadata: { name },
  webhooks: [
    {
      name: 'a.example.com',
      clientConfig: { url: 'https://127.0.0.1:1/' },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    },
  ],
});

describe('a disabled admission plugin', () => {
  it('NamespaceLifecycle lets objects be created in namespaces that do not exist', async () => {
    api = await EmbeddedApi.start({ disableAdmissionPlugins: ['NamespaceLifecycle'] });
    expect((await api.send('POST', '/api/v1/namespaces/nowhere/configmaps', map('a'))).status).toBe(201);
  });

  it.each([
    ['MutatingAdmissionWebhook', 'mutatingwebhookconfigurations'],
    ['ValidatingAdmissionWebhook', 'validatingwebhookconfigurations'],
  ])('%s calls no webhook', async (plugin, plural) => {
    api = await EmbeddedApi.start({ disableAdmissionPlugins: [plugin] });
    expect((await api.send('POST', `${REGISTRATION}/${plural}`, unreachable('w'))).status).toBe(201);
    expect((await api.send('POST', '/api/v1/namespaces/default/configmaps', map('a'))).status).toBe(201);
  });

  it('ValidatingAdmissionPolicy denies nothing', async () => {
    api = await EmbeddedApi.start({ disableAdmissionPlugins: ['ValidatingAdmissionPolicy'] });
    const rules = [
      { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
    ];
    await api.send('POST', `${REGISTRATION}/validatingadmissionpolicies`, {
      metadata: { name: 'p' },
      spec: { matchConstraints: { resourceRules: rules }, validations: [{ expression: 'false' }] },
    });
    const binding = { metadata: { name: 'b' }, spec: { policyName: 'p', validationActions: ['Deny'] } };
    const bound = await api.send('POST', `${REGISTRATION}/validatingadmissionpolicybindings`, binding);
    expect(bound.status).toBe(201);
    expect((await api.send('POST', '/api/v1/namespaces/default/configmaps', map('a'))).status).toBe(201);
  });
});
