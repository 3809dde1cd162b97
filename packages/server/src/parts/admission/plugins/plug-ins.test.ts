import { EmbeddedApi } from '@instar/testing/api';
import { afterEach, describe, expect, it } from 'vitest';

let api: EmbeddedApi;
afterEach(() => api.close());

const CLAIMS = '/api/v1/namespaces/default/persistentvolumeclaims';
const claim = (name: string, storage = '1Gi') => ({
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
});
const post = (path: string, body: object) => api.send('POST', path, body);

describe('admission plug-ins', () => {
  it('give claims the default class and protect them', async () => {
    api = await EmbeddedApi.start();
    await post('/apis/storage.k8s.io/v1/storageclasses', {
      metadata: { name: 'fast', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'a.example.com',
    });
    const { body } = await post(CLAIMS, claim('a'));
    expect(body).toMatchObject({
      metadata: { finalizers: ['kubernetes.io/pvc-protection'] },
      spec: { storageClassName: 'fast' },
    });
  });

  it('do nothing where they are switched off', async () => {
    api = await EmbeddedApi.start({ disableAdmissionPlugins: ['StorageObjectInUseProtection'] });
    const { body } = await post(CLAIMS, claim('a'));
    expect(body).not.toHaveProperty('metadata.finalizers');
  });

  it('refuse claims beyond the limits of the namespace', async () => {
    api = await EmbeddedApi.start();
    await post('/api/v1/namespaces/default/limitranges', {
      metadata: { name: 'l' },
      spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '2Gi' } }] },
    });
    const { status, body } = await post(CLAIMS, claim('a', '3Gi'));
    expect(status).toBe(403);
    expect(JSON.stringify(body)).toContain('maximum storage usage per PersistentVolumeClaim is 2Gi');
  });

  it('count what is created against the quota', async () => {
    api = await EmbeddedApi.start();
    const quotas = '/api/v1/namespaces/default/resourcequotas';
    await post(quotas, { metadata: { name: 'q' }, spec: { hard: { persistentvolumeclaims: '1' } } });
    const counted = { hard: { persistentvolumeclaims: '1' }, used: { persistentvolumeclaims: '0' } };
    await api.send(
      'PATCH',
      `${quotas}/q/status`,
      { status: counted },
      {
        'content-type': 'application/merge-patch+json',
      },
    );
    expect((await post(CLAIMS, claim('a'))).status).toBe(201);
    const refused = await post(CLAIMS, claim('b'));
    expect(refused.status).toBe(403);
    expect(JSON.stringify(refused.body)).toContain(
      'exceeded quota: q, requested: persistentvolumeclaims=1, used: persistentvolumeclaims=1, limited: persistentvolumeclaims=1',
    );
  });

  it('taint new nodes', async () => {
    api = await EmbeddedApi.start();
    const { body } = await post('/api/v1/nodes', { metadata: { name: 'n' } });
    expect(body).toMatchObject({
      spec: { taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }] },
    });
  });

  it('allow one default priority class', async () => {
    api = await EmbeddedApi.start();
    const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';
    const one = (name: string) => ({ metadata: { name }, value: 1, globalDefault: true });
    expect((await post(classes, one('a'))).status).toBe(201);
    expect((await post(classes, one('b'))).status).toBe(403);
  });
});

describe('a new server', () => {
  it('has the objects that clients expect', async () => {
    api = await EmbeddedApi.start({ serviceClusterIpRanges: ['10.0.0.0/24'] });
    const get = async (path: string) => (await api.send('GET', path)).body;
    expect(await get('/api/v1/namespaces/default/services/kubernetes')).toMatchObject({
      spec: { clusterIP: '10.0.0.1' },
    });
    expect(await get('/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical')).toMatchObject({
      value: 2000001000,
    });
    expect(await get('/apis/networking.k8s.io/v1/servicecidrs/kubernetes')).toMatchObject({
      spec: { cidrs: ['10.0.0.0/24'] },
    });
  });

  it('gives no address twice', async () => {
    api = await EmbeddedApi.start({ serviceClusterIpRanges: ['10.0.0.0/24'] });
    const services = '/api/v1/namespaces/default/services';
    const service = (name: string) => ({
      metadata: { name },
      spec: { clusterIP: '10.0.0.9', ports: [{ port: 80 }] },
    });
    expect((await post(services, service('a'))).status).toBe(201);
    expect(JSON.stringify((await post(services, service('b'))).body)).toContain(
      'failed to allocate IP 10.0.0.9: provided IP is already allocated',
    );
  });
});
