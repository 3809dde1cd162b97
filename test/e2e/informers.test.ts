// @kubernetes/client-node as controllers use it: informers that survive restarts of the server, typed and
// custom APIs, patches, leases.
import { eventually } from '@instar/testing';
import { ServerProcess } from '@instar/testing/command';
import {
  type ApiException,
  ApiextensionsV1Api,
  CoordinationV1Api,
  CoreV1Api,
  CustomObjectsApi,
  type Informer,
  KubeConfig,
  type KubernetesListObject,
  type KubernetesObject,
  KubernetesObjectApi,
  makeInformer,
  type ObjectCache,
  PatchStrategy,
  setHeaderOptions,
  type V1ConfigMap,
  V1MicroTime,
} from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

type Watched = Informer<KubernetesObject> & ObjectCache<KubernetesObject>;

const GROUP = 'informers.example.com';
const inGroup = { group: GROUP, version: 'v1', namespace: 'default', plural: 'gizmos' };
let server: ServerProcess;
let config: KubeConfig;
let core: CoreV1Api;
let custom: CustomObjectsApi;

beforeAll(async () => {
  server = await ServerProcess.start({ storage: 'lmdb' });
  config = new KubeConfig();
  config.loadFromFile(server.kubeconfig);
  core = config.makeApiClient(CoreV1Api);
  custom = config.makeApiClient(CustomObjectsApi);
});
afterAll(() => server.remove());

/**
 * Everything that an informer reported. When the connection breaks, it is started again after a pause, as
 * controllers do.
 */
class Recorder {
  readonly events: string[] = [];
  readonly informer: Watched;
  #stopped = false;

  constructor(path: string, list: () => Promise<KubernetesListObject<KubernetesObject>>) {
    this.informer = makeInformer(config, path, list);
    const line = (verb: string, { metadata }: KubernetesObject): string =>
      `${verb} ${metadata!.name} ${metadata!.resourceVersion}`;
    for (const verb of ['add', 'update', 'delete'] as const)
      this.informer.on(verb, (object) => this.events.push(line(verb, object)));
    this.informer.on('error', () => void setTimeout(() => this.#stopped || void this.informer.start(), 100));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.informer.stop();
  }

  versions(): string[] {
    return this.informer
      .list()
      .map(({ metadata }) => `${metadata!.name} ${metadata!.resourceVersion}`)
      .sort();
  }
}

const versionsOf = (items: readonly KubernetesObject[]): string[] =>
  items.map(({ metadata }) => `${metadata!.name} ${metadata!.resourceVersion}`).sort();

/** Creates, changes and deletes objects; the state at the end differs from every state before. */
async function churn(
  prefix: string,
  api: {
    create(name: string): Promise<unknown>;
    change(name: string): Promise<unknown>;
    remove(name: string): Promise<unknown>;
  },
): Promise<void> {
  const names = Array.from({ length: 8 }, (_, at) => `${prefix}-${at}`);
  await Promise.all(names.map((name) => api.create(name)));
  await Promise.all(names.slice(0, 5).map((name) => api.change(name)));
  await Promise.all(names.slice(3, 6).map((name) => api.remove(name)));
}

const patched = (type: PatchStrategy) => setHeaderOptions('Content-Type', type);

const configMaps = {
  path: '/api/v1/namespaces/default/configmaps',
  list: () => core.listNamespacedConfigMap({ namespace: 'default' }),
  create: (name: string) =>
    core.createNamespacedConfigMap({ namespace: 'default', body: { metadata: { name } } }),
  change: (name: string) =>
    core.patchNamespacedConfigMap(
      { name, namespace: 'default', body: { data: { changed: 'yes' } } },
      patched(PatchStrategy.MergePatch),
    ),
  remove: (name: string) => core.deleteNamespacedConfigMap({ name, namespace: 'default' }),
};
const gizmos = {
  path: `/apis/${GROUP}/v1/namespaces/default/gizmos`,
  list: () => custom.listNamespacedCustomObject(inGroup) as Promise<KubernetesListObject<KubernetesObject>>,
  create: (name: string) =>
    custom.createNamespacedCustomObject({
      ...inGroup,
      body: { apiVersion: `${GROUP}/v1`, kind: 'Gizmo', metadata: { name }, spec: { size: 1 } },
    }),
  change: (name: string) =>
    custom.patchNamespacedCustomObject(
      { ...inGroup, name, body: { spec: { size: 2 } } },
      patched(PatchStrategy.MergePatch),
    ),
  remove: (name: string) => custom.deleteNamespacedCustomObject({ ...inGroup, name }),
};

const gizmoCrd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `gizmos.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'gizmos', singular: 'gizmo', kind: 'Gizmo' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { size: { type: 'integer' } } },
              status: { type: 'object', properties: { ready: { type: 'boolean' } } },
            },
          },
        },
      },
    ],
  },
};

describe('informers', () => {
  beforeAll(async () => {
    await config.makeApiClient(ApiextensionsV1Api).createCustomResourceDefinition({ body: gizmoCrd });
    await eventually('the definition to be served', () => gizmos.list());
  });

  describe.each([
    ['config maps', configMaps],
    ['a custom resource', gizmos],
  ])('on %s', (_, api) => {
    it.each(['SIGTERM', 'SIGKILL'] as const)(
      'report every change exactly once across a restart after %s',
      { timeout: 60_000 },
      async (signal) => {
        const prefix = signal.toLowerCase();
        const recorder = new Recorder(api.path, api.list);
        const inSync = () =>
          eventually('the informer to know what is there', async () => {
            expect(recorder.versions()).toEqual(versionsOf((await api.list()).items));
            return true;
          });
        try {
          await churn(`${prefix}-before`, api);
          await recorder.informer.start();
          await churn(`${prefix}-watched`, api);
          await inSync();
          await server.stop(signal);
          await server.startAgain();
          await churn(`${prefix}-after`, api);
          await inSync();
          checkEvents(recorder.events);
          expect(recorder.events.filter((line) => line.startsWith(`add ${prefix}-after`))).toHaveLength(8);
        } finally {
          await recorder.stop();
        }
      },
    );
  });
});

/**
 * No event twice, no change before the object was added or after it was deleted, and the resource versions of
 * an object only increase.
 */
function checkEvents(events: readonly string[]): void {
  expect(new Set(events).size).toBe(events.length);
  const alive = new Map<string, number>();
  for (const line of events) {
    const [verb, name, version] = line.split(' ') as [string, string, string];
    expect([line, alive.has(name)]).toEqual([line, verb !== 'add']);
    expect(Number(version), line).toBeGreaterThan(alive.get(name) ?? 0);
    if (verb === 'delete') alive.delete(name);
    else alive.set(name, Number(version));
  }
}

const codeOf = (error: unknown): number => (error as ApiException<unknown>).code;

describe('typed APIs', () => {
  it('can take an object through every verb', async () => {
    const where = { name: 'typed', namespace: 'default' };
    const made = await core.createNamespacedConfigMap({
      namespace: 'default',
      body: { metadata: { name: 'typed' }, data: { a: '1' } },
    });
    expect(made.metadata!.creationTimestamp).toBeInstanceOf(Date);
    const replaced = await core.replaceNamespacedConfigMap({
      ...where,
      body: { ...made, data: { a: '2', b: '1' } },
    });
    await expect(
      core.replaceNamespacedConfigMap({ ...where, body: { ...made, data: {} } }),
    ).rejects.toSatisfy((error) => codeOf(error) === 409);
    expect(replaced.data).toEqual({ a: '2', b: '1' });
    const patches: [PatchStrategy, unknown, unknown][] = [
      [PatchStrategy.JsonPatch, [{ op: 'add', path: '/data/c', value: '1' }], { a: '2', b: '1', c: '1' }],
      [PatchStrategy.MergePatch, { data: { a: null } }, { b: '1', c: '1' }],
      [PatchStrategy.StrategicMergePatch, { data: { b: null, d: '1' } }, { c: '1', d: '1' }],
    ];
    for (const [type, body, data] of patches)
      expect((await core.patchNamespacedConfigMap({ ...where, body }, patched(type))).data).toEqual(data);
    const applied: V1ConfigMap = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'typed' },
      data: { e: '1' },
    };
    const request = { ...where, body: applied, fieldManager: 'tests', force: true };
    expect(
      (await core.patchNamespacedConfigMap(request, patched(PatchStrategy.ServerSideApply))).data,
    ).toEqual({ c: '1', d: '1', e: '1' });
    await core.deleteNamespacedConfigMap(where);
    await expect(core.readNamespacedConfigMap(where)).rejects.toSatisfy((error) => codeOf(error) === 404);
  });

  it('get the state at the start when they page through a list that changes', async () => {
    const names = Array.from({ length: 7 }, (_, at) => `page-${at}`);
    const body = (name: string) => ({ metadata: { name, labels: { paged: 'yes' } } });
    for (const name of names) await core.createNamespacedSecret({ namespace: 'default', body: body(name) });
    const query = { namespace: 'default', labelSelector: 'paged=yes', limit: 3 };
    const first = await core.listNamespacedSecret(query);
    await core.deleteNamespacedSecret({ name: 'page-5', namespace: 'default' });
    await core.createNamespacedSecret({ namespace: 'default', body: body('page-4a') });
    const second = await core.listNamespacedSecret({ ...query, _continue: first.metadata!._continue! });
    const third = await core.listNamespacedSecret({ ...query, _continue: second.metadata!._continue! });
    expect(
      [first, second, third].flatMap(({ items }) => items.map(({ metadata }) => metadata!.name)),
    ).toEqual(names);
    expect(third.metadata!._continue).toBeUndefined();
    expect(new Set([first, second, third].map(({ metadata }) => metadata!.resourceVersion)).size).toBe(1);
  });

  it('work through the generic object API, which uses discovery', async () => {
    const objects = KubernetesObjectApi.makeApiClient(config);
    const header = {
      apiVersion: `${GROUP}/v1`,
      kind: 'Gizmo',
      metadata: { name: 'generic', namespace: 'default' },
    };
    await objects.create({ ...header, spec: { size: 1 } } as KubernetesObject);
    expect(await objects.read(header)).toMatchObject({ spec: { size: 1 } });
    expect((await objects.list(`${GROUP}/v1`, 'Gizmo', 'default')).items.length).toBeGreaterThan(0);
    await custom.patchNamespacedCustomObjectStatus(
      { ...inGroup, name: 'generic', body: { status: { ready: true } } },
      patched(PatchStrategy.MergePatch),
    );
    expect(await objects.read(header)).toMatchObject({
      spec: { size: 1 },
      status: { ready: true },
      metadata: { generation: 1 },
    });
    await objects.delete(header);
  });

  it('elect one leader among several candidates', async () => {
    const leases = config.makeApiClient(CoordinationV1Api);
    const where = { name: 'leader', namespace: 'kube-system' };
    const spec = (holderIdentity: string) => ({
      holderIdentity,
      leaseDurationSeconds: 15,
      renewTime: new V1MicroTime(),
      acquireTime: new V1MicroTime(),
    });
    const candidates = ['a', 'b', 'c', 'd'];
    const create = (name: string) =>
      leases.createNamespacedLease({
        namespace: where.namespace,
        body: { metadata: { name: 'leader' }, spec: spec(name) },
      });
    const codes = await Promise.all(candidates.map((name) => create(name).then(() => 201, codeOf)));
    expect(codes.sort()).toEqual([201, 409, 409, 409]);
    for (let round = 0; round < 5; round++) {
      const seen = await leases.readNamespacedLease(where);
      const take = (name: string) =>
        leases.replaceNamespacedLease({
          ...where,
          body: { ...seen, spec: { ...seen.spec!, ...spec(name) } },
        });
      const answers = await Promise.all(candidates.map((name) => take(name).then(() => name, codeOf)));
      const winners = answers.filter((answer) => typeof answer === 'string');
      expect(answers.filter((answer) => answer === 409)).toHaveLength(3);
      expect((await leases.readNamespacedLease(where)).spec!.holderIdentity).toBe(winners[0]);
    }
  });
});
