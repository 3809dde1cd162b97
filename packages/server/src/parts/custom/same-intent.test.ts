// One intent, every verb: whichever way a client writes a custom resource, what is stored is the same. Each
// verb has a path of its own up to the commit, and each must decode, prune and default on it.
import { PATCH_MEDIA_TYPES } from '@instar/machinery';
import { eventually } from '@instar/testing';
import { EmbeddedApi } from '@instar/testing/api';
import { AdmissionWebhook } from '@instar/testing/webhooks';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const GROUP = 'example.com';
const API_VERSION = `${GROUP}/v1`;
const URL = `/apis/${API_VERSION}/namespaces/default/widgets`;
const PART = {
  type: 'object',
  properties: {
    size: { type: 'integer', default: 3 },
    replicas: { type: 'integer' },
    names: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
    open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    closed: { type: 'object' },
    nested: { type: 'object', default: {}, properties: { deep: { type: 'string', default: 'd' } } },
  },
};
const CRD = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `widgets.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: PART, status: PART } } },
      },
    ],
  },
};

let api: EmbeddedApi;
let hook: AdmissionWebhook;
let count = 0;

beforeAll(async () => {
  hook = await new AdmissionWebhook().start();
  api = await EmbeddedApi.start();
  await api.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', CRD);
  await eventually('the CRD to be served', async () => (await api.send('GET', URL)).status === 200);
});
afterAll(async () => {
  await api.close();
  await hook.stop();
});

/** Unknown fields stand only where server-side apply does not refuse them: in objects without properties. */
const intents = fc.record(
  {
    size: fc.integer(),
    names: fc.array(fc.record({ name: fc.string() }, { requiredKeys: [] }), { maxLength: 3 }),
    open: fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), fc.oneof(fc.string(), fc.boolean())),
    closed: fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), fc.oneof(fc.string(), fc.boolean())),
    nested: fc.record({ deep: fc.string() }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);
type Part = 'spec' | 'status';
type Write = (part: Part, intent: object, url: string, name: string) => Promise<{ status: number }>;

const bare = (name: string) => ({ apiVersion: API_VERSION, kind: 'Widget', metadata: { name } });
const pathOf = (part: Part, url: string): string => (part === 'status' ? `${url}/status` : url);
const create = (name: string) => api.send('POST', URL, bare(name));
const as = (type: keyof typeof PATCH_MEDIA_TYPES) => ({ 'content-type': PATCH_MEDIA_TYPES[type] });

const verbs: [string, Write][] = [
  [
    'PUT',
    async (part, intent, url, name) => {
      const { body } = await create(name);
      return api.send('PUT', pathOf(part, url), { ...body, [part]: intent });
    },
  ],
  [
    'a merge patch',
    async (part, intent, url, name) => {
      await create(name);
      // A merge patch merges; what defaulting has put there is part of the intent that is asked for.
      await api.send('PATCH', pathOf(part, url), { [part]: null }, as('merge'));
      return api.send('PATCH', pathOf(part, url), { [part]: intent }, as('merge'));
    },
  ],
  [
    'a JSON patch',
    async (part, intent, url, name) => {
      await create(name);
      const operations = [{ op: 'add', path: `/${part}`, value: intent }];
      return api.send('PATCH', pathOf(part, url), operations, as('json'));
    },
  ],
  [
    'an apply to an object that exists',
    async (part, intent, url, name) => {
      await create(name);
      const applied = { ...bare(name), [part]: intent };
      return api.send('PATCH', `${pathOf(part, url)}?fieldManager=m&force=true`, applied, as('apply'));
    },
  ],
];
const creating: [string, Write][] = [
  ['POST', (part, intent, _, name) => api.send('POST', URL, { ...bare(name), [part]: intent })],
  [
    'an apply that creates',
    (part, intent, url, name) =>
      api.send('PATCH', `${url}?fieldManager=m`, { ...bare(name), [part]: intent }, as('apply')),
  ],
];

/** What the schema makes of an intent: the oracle is the plainest path, POST of an object with that spec. */
async function stored(write: Write, part: Part, intent: object): Promise<unknown> {
  const name = `w${count++}`;
  const { status } = await write(part, intent, `${URL}/${name}`, name);
  expect(status).toBeLessThan(300);
  const { body } = await api.send('GET', `${URL}/${name}`);
  await api.send('DELETE', `${URL}/${name}`);
  return body[part];
}

async function leavesTheSame(write: Write, part: Part): Promise<void> {
  await fc.assert(
    fc.asyncProperty(intents, async (intent) => {
      expect(await stored(write, part, intent)).toEqual(await stored(creating[0]![1], 'spec', intent));
    }),
    { numRuns: 15 },
  );
}

describe('without webhooks', () => {
  it.each([...verbs, ...creating])('%s stores the same spec as any other verb', async (_, write) => {
    await leavesTheSame(write, 'spec');
  });

  it.each(verbs)('%s stores the same status as any other verb', async (_, write) => {
    await leavesTheSame(write, 'status');
  });
});

describe('with a mutating webhook that adds unknown fields', () => {
  const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';

  async function intercept(): Promise<void> {
    hook.decide = ({ object }) => ({
      allowed: true,
      patch: [
        ...(object.spec === undefined ? [{ op: 'add', path: '/spec', value: {} }] : []),
        { op: 'add', path: '/spec/closed', value: { unknown: true } },
      ],
    });
    const clientConfig = { url: hook.url, caBundle: hook.caBundle };
    await api.send('POST', CONFIGURATIONS, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingWebhookConfiguration',
      metadata: { name: 'adds' },
      webhooks: [
        {
          name: 'adds.example.com',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          clientConfig,
          rules: [
            {
              apiGroups: [GROUP],
              apiVersions: ['v1'],
              resources: ['widgets'],
              operations: ['CREATE', 'UPDATE'],
            },
          ],
        },
      ],
    });
    await eventually('the webhook to be called', async () => {
      await api.send('POST', `${URL}?dryRun=All`, bare('probe'));
      return hook.take().length > 0;
    });
  }

  afterEach(async () => {
    await api.send('DELETE', `${CONFIGURATIONS}/adds`);
  });

  it('every verb stores what is left of them after pruning', async () => {
    await intercept();
    for (const [verb, write] of [...verbs, ...creating])
      expect([verb, await stored(write, 'spec', { size: 1 })]).toEqual([
        verb,
        { size: 1, closed: {}, nested: { deep: 'd' } },
      ]);
  });
});

it('scale stores the replicas that an update of the object would', async () => {
  await api.send('POST', URL, { ...bare('scaled'), spec: { replicas: 1, closed: {} } });
  const { body: scale } = await api.send('GET', `${URL}/scaled/scale`);
  await api.send('PUT', `${URL}/scaled/scale`, { ...scale, spec: { replicas: 4 } });
  const { body } = await api.send('GET', `${URL}/scaled`);
  expect(body.spec).toEqual({ size: 3, replicas: 4, closed: {}, nested: { deep: 'd' } });
});
