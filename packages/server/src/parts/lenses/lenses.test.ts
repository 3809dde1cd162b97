import { openStore, type Store } from '@instar/store';
import { eventually } from '@instar/testing';
import { EmbeddedApi } from '@instar/testing/api';
import { AdmissionWebhook } from '@instar/testing/webhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const GROUP = 'stable.example.com';
const NAME = `crontabs.${GROUP}`;
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const LENSES = '/apis/instar.dev/v1alpha1/lenses';
const STASH = 'lens.instar.dev/stash';
const url = (version: string, name = ''): string =>
  `/apis/${GROUP}/${version}/namespaces/default/crontabs${name === '' ? '' : `/${name}`}`;

const strings = (...fields: string[]) => ({
  openAPIV3Schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: Object.fromEntries(fields.map((field) => [field, { type: 'string' }])),
      },
    },
  },
});
const version = (name: string, storage: boolean, ...fields: string[]) => ({
  name,
  served: true,
  storage,
  schema: strings(...fields),
});
/** v1 alone has a comment, v2 alone a zone. */
const V1 = ['hostPort', 'image', 'comment'];
const V2 = ['host', 'port', 'image', 'zone'];

const crd = (storage: 'v1' | 'v2', rest: object = {}) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: NAME },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'crontabs', singular: 'crontab', kind: 'CronTab', listKind: 'CronTabList' },
    versions: [version('v1', storage === 'v1', ...V1), version('v2', storage === 'v2', ...V2)],
    ...rest,
  },
});

const lens = (name = NAME, ops: object[] = OPS) => ({
  apiVersion: 'instar.dev/v1alpha1',
  kind: 'Lens',
  metadata: { name },
  spec: { crd: NAME, lenses: [{ from: 'v1', to: 'v2', ops }] },
});
const OPS: object[] = [
  { split: { from: 'spec.hostPort', separator: ':', to: ['spec.host', 'spec.port'] } },
  { remove: { path: 'spec.comment' } },
  { add: { path: 'spec.zone', default: 'eu' } },
];

const cronTab = (apiVersion: string, name: string, spec: object) => ({
  apiVersion: `${GROUP}/${apiVersion}`,
  kind: 'CronTab',
  metadata: { name },
  spec,
});

let api: EmbeddedApi;
const spec = async (apiVersion: string, name: string) =>
  (await api.send('GET', url(apiVersion, name))).body.spec;
const conditions = async (name = NAME) =>
  Object.fromEntries(
    ((await api.send('GET', `${LENSES}/${name}`)).body.status?.conditions ?? []).map(
      (c: { type: string; status: string; reason: string }) => [c.type, `${c.status} ${c.reason}`],
    ),
  );

async function define(storage: 'v1' | 'v2'): Promise<void> {
  await api.send('POST', CRDS, crd(storage));
  await eventually(
    'the definition to be served',
    async () => (await api.send('GET', url('v1'))).status === 200,
  );
}

async function applyLens(ops = OPS): Promise<void> {
  expect((await api.send('POST', LENSES, lens(NAME, ops))).status).toBe(201);
  await eventually(
    'the lens to be accepted',
    async () => (await conditions())['Accepted'] === 'True Accepted',
  );
}

beforeEach(async () => {
  api = await EmbeddedApi.start();
});

afterEach(() => api.close());

describe('a lens', () => {
  it('converts stored objects for every verb, without a webhook', async () => {
    await define('v1');
    await api.send('POST', url('v1'), cronTab('v1', 'one', { hostPort: 'a:80', image: 'i', comment: 'c' }));
    await applyLens();
    expect(await spec('v2', 'one')).toEqual({ host: 'a', port: '80', image: 'i', zone: 'eu' });
    expect((await api.send('GET', url('v2'))).body.items[0].spec.host).toBe('a');
    const { resourceVersion } = (await api.send('GET', url('v2'))).body.metadata;
    const { events } = await api.firstEvents(`${url('v2')}?watch=true&resourceVersion=${resourceVersion}`, 1);
    await api.send('PATCH', url('v2', 'one'), { spec: { port: '81' } });
    expect((await events)[0].object.spec).toMatchObject({ host: 'a', port: '81' });
    expect(await spec('v1', 'one')).toEqual({ hostPort: 'a:81', image: 'i', comment: 'c' });
  });

  it.each(['v1', 'v2'] as const)(
    'loses nothing that either version cannot hold, with %s stored, and hides the stash',
    async (storage) => {
      await define(storage);
      await applyLens();
      await api.send('POST', url('v1'), cronTab('v1', 'one', { hostPort: 'a:80', comment: 'kept' }));
      await api.send('PATCH', url('v2', 'one'), { spec: { zone: 'us', image: 'i' } });
      expect(await spec('v1', 'one')).toEqual({ hostPort: 'a:80', image: 'i', comment: 'kept' });
      await api.send('PATCH', url('v1', 'one'), { spec: { hostPort: 'b:90' } });
      expect(await spec('v2', 'one')).toEqual({ host: 'b', port: '90', image: 'i', zone: 'us' });
      expect(await spec('v1', 'one')).toEqual({ hostPort: 'b:90', image: 'i', comment: 'kept' });
      for (const v of ['v1', 'v2']) {
        const { metadata } = (await api.send('GET', url(v, 'one'))).body;
        expect(metadata.annotations ?? {}).not.toHaveProperty([STASH]);
        expect(JSON.stringify(metadata.managedFields)).not.toContain(STASH);
      }
    },
  );

  it('does not write an object that does not change', async () => {
    await define('v2');
    await applyLens();
    const made = await api.send(
      'POST',
      url('v1'),
      cronTab('v1', 'one', { hostPort: 'a:80', comment: 'kept' }),
    );
    const again = await api.send('PUT', url('v1', 'one'), made.body);
    expect(again.body.metadata.resourceVersion).toBe(made.body.metadata.resourceVersion);
    expect(made.body.spec).toEqual({ hostPort: 'a:80', comment: 'kept' });
  });

  it('fails requests for an object that it cannot convert, unless they may skip it', async () => {
    await define('v1');
    await api.send('POST', url('v1'), cronTab('v1', 'bad', { image: 'unheard of' }));
    await api.send('POST', url('v1'), cronTab('v1', 'good', { image: 'old' }));
    await applyLens([{ map: { path: 'spec.image', values: [{ from: 'old', to: 'new' }] } }]);
    const { status, body } = await api.send('GET', url('v2', 'bad'));
    expect(status).toBe(500);
    expect(body.message).toMatch(
      /^conversion lens crontabs\.stable\.example\.com for .* \[converting default\/bad, from v1 to v2\]$/,
    );
    expect((await api.send('GET', url('v2'))).status).toBe(500);
    expect((await api.send('GET', `${url('v2')}?instar.dev/skipUnconvertible=true`)).body.items).toHaveLength(
      1,
    );
    expect((await api.send('PATCH', url('v2', 'bad'), { spec: { host: 'a' } })).status).toBe(500);
    expect(await spec('v1', 'bad')).toEqual({ image: 'unheard of' });
  });

  it('can be deleted without losing or exposing the stash', async () => {
    await define('v2');
    await applyLens();
    await api.send('POST', url('v1'), cronTab('v1', 'one', { hostPort: 'a:80', comment: 'kept' }));
    await api.send('DELETE', `${LENSES}/${NAME}`);
    await eventually('v1 to be relabeled', async () => (await spec('v1', 'one')).hostPort === undefined);
    expect((await api.send('GET', url('v2', 'one'))).body.metadata.annotations).toBeUndefined();
    await api.send('POST', LENSES, lens());
    await eventually('v1 to be converted again', async () => (await spec('v1', 'one')).comment === 'kept');
  });

  it('loses nothing to an admission webhook of another version, which does not get the stash', async () => {
    const hook = await new AdmissionWebhook().start();
    try {
      await define('v2');
      await applyLens();
      hook.decide = () => ({ allowed: true, patch: [{ op: 'add', path: '/spec/image', value: 'patched' }] });
      await api.send('POST', '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations', {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'MutatingWebhookConfiguration',
        metadata: { name: 'old-version' },
        webhooks: [
          {
            name: 'w.example.com',
            admissionReviewVersions: ['v1'],
            sideEffects: 'None',
            clientConfig: { url: hook.url, caBundle: hook.caBundle },
            rules: [{ operations: ['*'], apiGroups: [GROUP], apiVersions: ['v1'], resources: ['crontabs'] }],
          },
        ],
      });
      await api.send('POST', url('v2'), cronTab('v2', 'one', { host: 'a', port: '80', zone: 'us' }));
      expect(await spec('v2', 'one')).toEqual({ host: 'a', port: '80', zone: 'us', image: 'patched' });
      await api.send('PATCH', url('v2', 'one'), { spec: { zone: 'asia', image: null } });
      expect(await spec('v2', 'one')).toEqual({ host: 'a', port: '80', zone: 'asia', image: 'patched' });
      expect(hook.calls.map(({ review }) => review.request.object.apiVersion)).toEqual([
        `${GROUP}/v1`,
        `${GROUP}/v1`,
      ]);
      expect(JSON.stringify(hook.calls)).not.toContain(STASH);
    } finally {
      await hook.stop();
    }
  });

  it('fails an apply that it cannot convert with its own error', async () => {
    await define('v2');
    await applyLens([{ map: { path: 'spec.image', values: [{ from: 'old', to: 'new' }] } }]);
    await api.send('POST', url('v1'), cronTab('v1', 'one', { image: 'old' }));
    const apply = (v: string, value: object) =>
      api.send('PATCH', `${url(v, 'one')}?fieldManager=m&force=true`, cronTab(v, 'one', value), {
        'content-type': 'application/apply-patch+yaml',
      });
    expect((await apply('v1', { image: 'old' })).status).toBe(200);
    const { status, body } = await apply('v2', { image: 'unheard of' });
    expect(status).toBe(500);
    expect(body.message).toContain(`conversion lens ${NAME}`);
  });

  it('lets the metadata of an object be read that it cannot convert', async () => {
    await define('v1');
    await api.send('POST', url('v1'), cronTab('v1', 'bad', { image: 'unheard of' }));
    await applyLens([{ map: { path: 'spec.image', values: [{ from: 'old', to: 'new' }] } }]);
    const accept = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
    const { status, body, warnings } = await api.send('GET', url('v2', 'bad'), undefined, { accept });
    expect(status).toBe(200);
    expect(body.metadata.name).toBe('bad');
    expect(warnings[0]).toContain('metadata is shown as it is stored');
    const { events } = await api.firstEvents(
      `${url('v2')}?watch=true&resourceVersion=${body.metadata.resourceVersion}`,
      1,
      { accept },
    );
    await api.send('PATCH', url('v1', 'bad'), { spec: { image: 'never heard of' } });
    expect((await events)[0]).toMatchObject({ type: 'MODIFIED', object: { metadata: { name: 'bad' } } });
  });

  it('hides the stash in the metadata of an object that it cannot convert', async () => {
    await define('v2');
    await applyLens([
      { map: { path: 'spec.image', values: [{ from: 'old', to: 'new' }] } },
      { remove: { path: 'spec.comment' } },
    ]);
    await api.send('POST', url('v1'), cronTab('v1', 'one', { image: 'old', comment: 'kept' }));
    expect((await api.send('PATCH', url('v2', 'one'), { spec: { image: 'unheard of' } })).status).toBe(200);
    const accept = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
    const { body, warnings } = await api.send('GET', url('v1', 'one'), undefined, { accept });
    expect(warnings[0]).toContain('metadata is shown as it is stored');
    expect(JSON.stringify(body)).not.toContain(STASH);
  });

  it('that changes while an object is being stored applies from then on', async () => {
    await api.close();
    const storage = await openStore('memory:');
    let held: Promise<void> | undefined;
    const slow = new Proxy(storage, {
      get(store, name: keyof Store) {
        if (name !== 'commit')
          return typeof store[name] === 'function' ? store[name].bind(store) : store[name];
        return async (commit: Parameters<Store['commit']>[0]) => {
          if (commit.operations[0]!.key.includes('/crontabs/')) await held;
          return store.commit(commit);
        };
      },
    });
    api = await EmbeddedApi.start({ storage: slow });
    await define('v2');
    await applyLens();
    await api.send('POST', url('v1'), cronTab('v1', 'earlier', { hostPort: 'a:80' }));
    let release = (): void => {};
    held = new Promise((resolve) => (release = resolve));
    const made = api.send('POST', url('v1'), cronTab('v1', 'one', { hostPort: 'a:80' }));
    const other = { split: { from: 'spec.hostPort', separator: '|', to: ['spec.host', 'spec.port'] } };
    const before = await api.send('GET', `${LENSES}/${NAME}`);
    await api.send('PUT', `${LENSES}/${NAME}`, { ...before.body, spec: lens(NAME, [other]).spec });
    await eventually('the lens to count', async () => (await spec('v1', 'earlier')).hostPort === 'a|80');
    release();
    expect((await made).status).toBe(201);
    expect(await spec('v1', 'one')).toEqual({ hostPort: 'a|80' });
  });

  it('works with a storage migration', async () => {
    await define('v1');
    await applyLens();
    await api.send('POST', url('v1'), cronTab('v1', 'one', { hostPort: 'a:80', comment: 'kept' }));
    await api.send('PUT', `${CRDS}/${NAME}`, {
      ...crd('v2'),
      metadata: (await api.send('GET', `${CRDS}/${NAME}`)).body.metadata,
    });
    const before = (await api.send('GET', url('v1', 'one'))).body.metadata.resourceVersion;
    await api.send('POST', '/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations', {
      apiVersion: 'storagemigration.k8s.io/v1beta1',
      kind: 'StorageVersionMigration',
      metadata: { name: 'all' },
      spec: { resource: { group: GROUP, resource: 'crontabs' } },
    });
    await eventually(
      'it to be rewritten',
      async () => (await api.send('GET', url('v1', 'one'))).body.metadata.resourceVersion !== before,
    );
    expect(await spec('v1', 'one')).toEqual({ hostPort: 'a:80', comment: 'kept' });
    expect(await spec('v2', 'one')).toEqual({ host: 'a', port: '80', zone: 'eu' });
  });
});

it('a lens that contradicts the schemas reports that in its status', async () => {
  await define('v1');
  await applyLens([{ rename: { from: 'spec.hostPort', to: 'spec.nowhere' } }]);
  await eventually(
    'it to be read over the schemas',
    async () => (await conditions())['Complete'] === 'False SchemasDisagree',
  );
  const { message } = (await api.send('GET', `${LENSES}/${NAME}`)).body.status.conditions[1];
  expect(message).toContain('v1 to v2, spec.');
});

it('the status of a lens is not written when nothing has changed', async () => {
  await define('v1');
  await applyLens();
  await eventually('the lens to be complete', async () =>
    (await conditions())['Complete']?.startsWith('True'),
  );
  const { resourceVersion } = (await api.send('GET', LENSES)).body.metadata;
  const { events } = await api.firstEvents(`${LENSES}?watch=true&resourceVersion=${resourceVersion}`, 2);
  await api.send('PATCH', `${CRDS}/${NAME}`, { metadata: { labels: { touched: 'yes' } } });
  // Its status is written after that of the first one would be.
  const later = `others.${GROUP}`;
  await api.send('POST', LENSES, lens(later, OPS));
  expect((await events).map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual([
    `ADDED ${later}`,
    `MODIFIED ${later}`,
  ]);
});

describe('the object', () => {
  it('is refused with the path of the invalid field', async () => {
    const { status, body } = await api.send(
      'POST',
      LENSES,
      lens(NAME, [{ renam: { from: 'spec.a', to: 'spec.b' } }]),
    );
    expect(status).toBe(422);
    expect(body.message).toContain('spec.lenses[0].ops[0]');
  });

  it('says whether it is accepted and complete', async () => {
    await api.send('POST', LENSES, lens());
    await eventually('a status', async () => (await conditions())['Accepted'] !== undefined);
    expect(await conditions()).toEqual({ Accepted: 'True Accepted', Complete: 'Unknown NoDefinition' });
    await define('v1');
    await eventually(
      'it to be complete',
      async () => (await conditions())['Complete'] === 'True AllVersionsJoined',
    );
    await api.send('POST', LENSES, lens('zz-another'));
    await eventually(
      'the other to be refused',
      async () => (await conditions('zz-another'))['Accepted'] === 'False Duplicate',
    );
    await api.send('PATCH', `${LENSES}/${NAME}`, { spec: { crd: `others.${GROUP}` } });
    await eventually(
      'the other to count',
      async () => (await conditions('zz-another'))['Accepted'] === 'True Accepted',
    );
    await api.send('PATCH', `${LENSES}/${NAME}`, { spec: { crd: NAME } });
    await eventually(
      'the other to be refused again',
      async () => (await conditions('zz-another'))['Accepted'] === 'False Duplicate',
    );
    const { body } = await api.send('GET', `${CRDS}/${NAME}`);
    await api.send('PUT', `${CRDS}/${NAME}`, {
      ...body,
      spec: { ...body.spec, versions: [...body.spec.versions, version('v3', false, ...V2)] },
    });
    await eventually(
      'a version to be missing',
      async () => (await conditions())['Complete'] === 'False VersionsMissing',
    );
    expect((await api.send('GET', url('v3'))).status).toBe(200);
    await api.send('POST', url('v1'), cronTab('v1', 'one', { hostPort: 'a:80' }));
    expect((await api.send('GET', url('v3'))).body.message).toContain('has no version v3; it has v1, v2');
  });
});
