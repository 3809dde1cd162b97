// The plug-ins that complete pods, in a running server.
import { EmbeddedApi } from '@instar/testing/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let api: EmbeddedApi;
const PODS = '/api/v1/namespaces/x/pods';
const pod = (spec: object = {}) => ({
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image: 'i:1' }], ...spec },
});
const create = (spec: object = {}) => api.send('POST', `${PODS}?dryRun=All`, pod(spec));

beforeAll(async () => {
  api = await EmbeddedApi.start();
  await api.send('POST', '/api/v1/namespaces', { metadata: { name: 'x' } });
  await api.send('POST', '/apis/node.k8s.io/v1/runtimeclasses', {
    metadata: { name: 'heavy' },
    handler: 'h',
    overhead: { podFixed: { cpu: '100m' } },
    scheduling: { nodeSelector: { runtime: 'heavy' }, tolerations: [{ key: 'heavy', operator: 'Exists' }] },
  });
});
afterAll(() => api.close());

describe('DefaultTolerationSeconds', () => {
  it('adds the tolerations that are missing', async () => {
    const { body } = await create();
    expect(body.spec.tolerations.map(({ key }: { key: string }) => key)).toEqual([
      'node.kubernetes.io/not-ready',
      'node.kubernetes.io/unreachable',
    ]);
  });

  it('leaves a pod that tolerates everything', async () => {
    const tolerations = [{ operator: 'Exists' }];
    expect((await create({ tolerations })).body.spec.tolerations).toEqual(tolerations);
  });
});

describe('RuntimeClass', () => {
  it('gives the pod what its class says', async () => {
    const { body } = await create({ runtimeClassName: 'heavy' });
    expect(body.spec).toMatchObject({ overhead: { cpu: '100m' }, nodeSelector: { runtime: 'heavy' } });
    expect(body.spec.tolerations).toContainEqual({ key: 'heavy', operator: 'Exists' });
  });

  it('refuses a class that does not exist', async () => {
    const { status, body } = await create({ runtimeClassName: 'none' });
    expect([status, body.message]).toEqual([
      403,
      'pods "p" is forbidden: pod rejected: RuntimeClass "none" not found',
    ]);
  });

  it('refuses an overhead without a class', async () => {
    expect((await create({ overhead: { cpu: '1' } })).body.message).toBe(
      'pods "p" is forbidden: pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
    );
  });

  it('refuses a selector that contradicts the class', async () => {
    const { body } = await create({ runtimeClassName: 'heavy', nodeSelector: { runtime: 'light' } });
    expect(body.message).toContain('conflict: runtimeClass.scheduling.nodeSelector[runtime] = heavy');
  });
});
