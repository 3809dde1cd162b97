import { EmbeddedApi } from '@instar/testing/api';
import { afterEach, describe, expect, it } from 'vitest';

let api: EmbeddedApi;
afterEach(() => api.close());

const PODS = '/api/v1/namespaces/default/pods';
const pod = (spec: object = {}) => ({
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image: 'i:1', imagePullPolicy: 'Never' }], ...spec },
});
const start = async (...enableAdmissionPlugins: string[]) => {
  api = await EmbeddedApi.start({ enableAdmissionPlugins });
};
const refusal = async (path: string, body: object) => {
  const { status, body: answer } = await api.send('POST', path, body);
  return [status, (answer as { message: string }).message];
};

describe('admission plug-ins on request', () => {
  it('are off otherwise', async () => {
    await start();
    const { body } = await api.send('POST', PODS, pod());
    expect(body).toMatchObject({ spec: { containers: [{ imagePullPolicy: 'Never' }] } });
  });

  it('AlwaysPullImages pulls every image', async () => {
    await start('AlwaysPullImages');
    const { body } = await api.send('POST', PODS, pod());
    expect(body).toMatchObject({ spec: { containers: [{ imagePullPolicy: 'Always' }] } });
  });

  it('DenyServiceExternalIPs refuses new external addresses', async () => {
    await start('DenyServiceExternalIPs');
    const service = { metadata: { name: 's' }, spec: { ports: [{ port: 80 }], externalIPs: ['192.0.2.1'] } };
    expect(await refusal('/api/v1/namespaces/default/services', service)).toEqual([
      403,
      'services "s" is forbidden: Use of external IPs is denied by admission control',
    ]);
  });

  it('ExtendedResourceToleration tolerates the taints of devices', async () => {
    await start('ExtendedResourceToleration');
    const amounts = { 'example.com/gpu': '1' };
    const container = { name: 'c', image: 'i', resources: { requests: amounts, limits: amounts } };
    const { body } = await api.send('POST', PODS, pod({ containers: [container] }));
    const { tolerations } = (body as { spec: { tolerations: object[] } }).spec;
    expect(tolerations).toContainEqual({ key: 'example.com/gpu', operator: 'Exists', effect: 'NoSchedule' });
  });

  it('LimitPodHardAntiAffinityTopology lets pods keep others off their node only', async () => {
    await start('LimitPodHardAntiAffinityTopology');
    const term = { topologyKey: 'zone', labelSelector: {} };
    const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
    expect(await refusal(PODS, pod({ affinity }))).toEqual([
      403,
      'pods "p" is forbidden: affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey zone but only key kubernetes.io/hostname is allowed',
    ]);
  });

  it('NamespaceAutoProvision makes the namespace', async () => {
    await start('NamespaceAutoProvision');
    expect((await api.send('POST', '/api/v1/namespaces/new/pods', pod())).status).toBe(201);
    expect((await api.send('GET', '/api/v1/namespaces/new')).status).toBe(200);
  });

  it('AlwaysDeny refuses every write', async () => {
    await start('AlwaysDeny');
    expect(await refusal(PODS, pod())).toEqual([
      403,
      'pods "p" is forbidden: admission control is denying all modifications',
    ]);
  });
});
