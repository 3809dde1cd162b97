import { EmbeddedApi } from '@instar/testing/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let api: EmbeddedApi;
beforeAll(async () => {
  api = await EmbeddedApi.start({ enableAdmissionPlugins: ['ServiceAccount'] });
  await post('serviceaccounts', { metadata: { name: 'robot' }, imagePullSecrets: [{ name: 'p' }] });
  const annotations = { 'kubernetes.io/enforce-mountable-secrets': 'true' };
  await post('serviceaccounts', { metadata: { name: 'strict', annotations }, secrets: [{ name: 'ok' }] });
});
afterAll(() => api.close());

const MOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
const post = (plural: string, body: object) => api.send('POST', `/api/v1/namespaces/default/${plural}`, body);
let count = 0;
const pod = (spec: object, annotations?: Record<string, string>) =>
  post('pods', {
    metadata: { name: `p${++count}`, ...(annotations && { annotations }) },
    spec: { serviceAccountName: 'robot', containers: [{ name: 'c', image: 'i' }], ...spec },
  });
const refusal = async (answer: ReturnType<typeof pod>) =>
  (await answer).status === 403 && ((await answer).body as { message: string }).message;

describe('pods with a service account', () => {
  it('get its token and its secrets for pulling images', async () => {
    const { body } = await pod({ initContainers: [{ name: 'i', image: 'i' }] });
    const name = expect.stringMatching(/^kube-api-access-[a-z0-9]{5}$/);
    const volumeMounts = [{ name, readOnly: true, mountPath: MOUNT }];
    expect(body).toMatchObject({
      spec: {
        serviceAccount: 'robot',
        imagePullSecrets: [{ name: 'p' }],
        initContainers: [{ volumeMounts }],
        containers: [{ volumeMounts }],
        volumes: [
          {
            name,
            projected: {
              defaultMode: 420,
              sources: [
                { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
                { configMap: { name: 'kube-root-ca.crt' } },
                { downwardAPI: { items: [{ path: 'namespace' }] } },
              ],
            },
          },
        ],
      },
    });
  });

  it('keep what they have at that place, and their own secrets', async () => {
    const volumes = [{ name: 'v', emptyDir: {} }];
    const containers = [{ name: 'c', image: 'i', volumeMounts: [{ name: 'v', mountPath: MOUNT }] }];
    const { body } = await pod({ containers, volumes, imagePullSecrets: [{ name: 'mine' }] });
    expect(body).toMatchObject({ spec: { volumes, containers, imagePullSecrets: [{ name: 'mine' }] } });
  });

  it('get no token if they or the account want none', async () => {
    expect((await pod({ automountServiceAccountToken: false })).body).not.toHaveProperty('spec.volumes');
  });

  it('are refused without it', async () => {
    expect(await refusal(pod({ serviceAccountName: 'none' }))).toContain(
      'error looking up service account default/none: serviceaccount "none" not found',
    );
  });

  it('wait for the account that every namespace gets', async () => {
    const created = pod({ serviceAccountName: '' });
    await post('serviceaccounts', { metadata: { name: 'default' } });
    expect((await created).body).toMatchObject({ spec: { serviceAccountName: 'default' } });
  });
});

describe('an account that demands its own secrets', () => {
  const withVolume = (secretName: string) =>
    pod({ serviceAccountName: 'strict', volumes: [{ name: 's', secret: { secretName } }] });

  it('allows those', async () => {
    expect((await withVolume('ok')).status).toBe(201);
  });

  it('refuses others, wherever they are named', async () => {
    expect(await refusal(withVolume('z'))).toContain(
      'volume with secret.secretName="z" is not allowed because service account strict does not reference that secret',
    );
    const env = [{ name: 'E', valueFrom: { secretKeyRef: { name: 'z', key: 'k' } } }];
    const containers = [{ name: 'c', image: 'i', env }];
    expect(await refusal(pod({ serviceAccountName: 'strict', containers }))).toContain(
      'container c with envVar E referencing secret.secretName="z" is not allowed',
    );
    expect(await refusal(pod({ serviceAccountName: 'strict', imagePullSecrets: [{ name: 'z' }] }))).toContain(
      'imagePullSecrets[0].name="z" is not allowed',
    );
  });
});

it.each([
  [{ serviceAccountName: 'robot' }, 'a mirror pod may not reference service accounts'],
  [{ imagePullSecrets: [{ name: 'p' }] }, 'a mirror pod may not reference secrets'],
  [{ volumes: [{ name: 's', secret: { secretName: 's' } }] }, 'a mirror pod may not reference secrets'],
])('a mirror pod has nothing of the server: %j', async (spec, why) => {
  const mirror = { 'kubernetes.io/config.mirror': 'x' };
  expect(await refusal(pod({ serviceAccountName: '', nodeName: 'n', ...spec }, mirror))).toContain(why);
});
