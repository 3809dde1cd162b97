import { EmbeddedApi } from '@instar/testing/api';
import { afterEach, describe, expect, it } from 'vitest';

let api: EmbeddedApi;
afterEach(() => api.close());

const PODS = '/api/v1/namespaces/shop/pods';
const pod = (name: string, change: object = {}) => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i' }], ...change },
});
const shop = (labels: Record<string, string>) => ({
  metadata: {
    name: 'shop',
    labels: Object.fromEntries(
      Object.entries(labels).map(([key, value]) => [`pod-security.kubernetes.io/${key}`, value]),
    ),
  },
});
const create = (labels: Record<string, string>) => api.send('POST', '/api/v1/namespaces', shop(labels));

describe('PodSecurity', () => {
  it('refuses pods that violate the level of their namespace', async () => {
    api = await EmbeddedApi.start();
    await create({ enforce: 'baseline' });
    expect((await api.send('POST', PODS, pod('a'))).status).toBe(201);
    const { status, body } = await api.send('POST', PODS, pod('b', { hostNetwork: true }));
    expect([status, body]).toMatchObject([
      403,
      {
        message:
          'pods "b" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true)',
      },
    ]);
  });

  it('refuses labels that name no level', async () => {
    api = await EmbeddedApi.start();
    expect(await create({ enforce: 'some' })).toMatchObject({ status: 422 });
  });

  it('tells which pods would not be let in any more', async () => {
    api = await EmbeddedApi.start();
    await create({});
    for (const name of ['a', 'b']) await api.send('POST', PODS, pod(name, { hostPID: true }));
    const change = shop({ enforce: 'baseline' });
    const { warnings } = await api.send('PATCH', '/api/v1/namespaces/shop', change, {
      'content-type': 'application/merge-patch+json',
    });
    expect(warnings.join()).toContain('a (and 1 other pod): host namespaces');
  });

  it('has the defaults and exemptions of its configuration', async () => {
    const PodSecurity = {
      apiVersion: 'pod-security.admission.config.k8s.io/v1',
      kind: 'PodSecurityConfiguration',
      defaults: { enforce: 'baseline' },
      exemptions: { namespaces: ['default'] },
    };
    api = await EmbeddedApi.start({ admissionConfiguration: { PodSecurity } });
    await create({});
    const bad = pod('a', { hostPID: true });
    expect((await api.send('POST', PODS, bad)).status).toBe(403);
    expect((await api.send('POST', '/api/v1/namespaces/default/pods', bad)).status).toBe(201);
  });
});
