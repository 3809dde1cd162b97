import { ApiError, type KubeObject } from '@instar/machinery';
import { eventually } from '@instar/testing';
import { EmbeddedApi } from '@instar/testing/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KubeClient } from './kube-client.ts';
import { configMap, configMaps } from './testing/config-maps.ts';

let server: EmbeddedApi;
let client: KubeClient;

beforeAll(async () => {
  server = await EmbeddedApi.start();
  client = server.client();
});
afterAll(() => server.close());

const thrown = async (promise: Promise<unknown>): Promise<ApiError> => {
  const error = await promise.catch((reason) => reason);
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
};
const at = (name: string) => ({ ...configMaps, name });
type ConfigMap = KubeObject & { data?: Record<string, string> };

describe('verbs', () => {
  it('create, get, replace, patch and delete objects', async () => {
    const made = await client.create<ConfigMap>(configMaps, configMap('verbs', { a: '1' }));
    expect(made.metadata.uid).toBeTruthy();
    expect((await client.get(at('verbs'))).metadata.resourceVersion).toBe(made.metadata.resourceVersion);
    const replaced = await client.replace<ConfigMap>(at('verbs'), { ...made, data: { a: '2', b: '1' } });
    expect(replaced.data).toEqual({ a: '2', b: '1' });
    const conflict = await thrown(client.replace(at('verbs'), made));
    expect([conflict.code, conflict.reason]).toEqual([409, 'Conflict']);
    const json = await client.patch<ConfigMap>(at('verbs'), [{ op: 'add', path: '/data/c', value: '1' }], {
      type: 'json',
    });
    expect(json.data).toEqual({ a: '2', b: '1', c: '1' });
    expect(
      (await client.patch<ConfigMap>(at('verbs'), { data: { a: null } }, { type: 'merge' })).data,
    ).toEqual({ b: '1', c: '1' });
    const strategic = await client.patch<ConfigMap>(
      at('verbs'),
      { data: { b: null, d: '1' } },
      { type: 'strategic' },
    );
    expect(strategic.data).toEqual({ c: '1', d: '1' });
    const applied = await client.patch<ConfigMap>(at('verbs'), configMap('verbs', { e: '1' }), {
      type: 'apply',
      fieldManager: 'tests',
      force: true,
    });
    expect(applied.data).toEqual({ c: '1', d: '1', e: '1' });
    await client.delete(at('verbs'), { preconditions: { uid: applied.metadata.uid! } });
    expect((await thrown(client.get(at('verbs')))).message).toBe('configmaps "verbs" not found');
  });

  it('store nothing in a dry run', async () => {
    await client.create(configMaps, configMap('dry'), { dryRun: true });
    expect((await thrown(client.get(at('dry')))).code).toBe(404);
  });

  it('return any answer to a raw request, errors too', async () => {
    const answer = await client.request({ method: 'GET', path: '/nowhere' });
    expect(answer.status).toBe(404);
    expect(await client.request({ method: 'GET', path: '/readyz' })).toMatchObject({ status: 200 });
  });

  it('report the warnings of the server', async () => {
    const warnings: string[] = [];
    const listening = server.client({ onWarning: (text) => warnings.push(text) });
    await listening.create(configMaps, { ...configMap('warned'), unknown: 1 }, { fieldValidation: 'Warn' });
    expect(warnings).toEqual(['unknown field "unknown"']);
    await client.delete(at('warned'));
  });
});

describe('pages', () => {
  const labeled = (name: string, label: string): object => ({
    ...configMap(name),
    metadata: { name, labels: { paged: label } },
  });

  it('cover a list of any length', async () => {
    for (let n = 0; n < 7; n++) await client.create(configMaps, labeled(`page-${n}`, 'yes'));
    const sizes: number[] = [];
    const names: string[] = [];
    for await (const page of client.pages(configMaps, { limit: 3, labelSelector: 'paged=yes' })) {
      sizes.push(page.items.length);
      names.push(...page.items.map(({ metadata }) => metadata.name!));
      expect(page.items.every(({ kind, apiVersion }) => kind === 'ConfigMap' && apiVersion === 'v1')).toBe(
        true,
      );
    }
    expect(sizes).toEqual([3, 3, 1]);
    expect(names).toEqual(Array.from({ length: 7 }, (_, n) => `page-${n}`));
  });
});

describe('watch', () => {
  it('yields every event from a revision on until the server ends it', async () => {
    const { metadata } = await client.list(configMaps);
    await client.create(configMaps, configMap('watched'));
    await client.patch(at('watched'), { data: { a: '1' } }, { type: 'merge' });
    await client.delete(at('watched'));
    const events: string[] = [];
    const options = {
      resourceVersion: metadata.resourceVersion!,
      timeoutSeconds: 1,
      fieldSelector: 'metadata.name=watched',
    };
    for await (const { type, object } of client.watch(configMaps, options))
      events.push(`${type} ${object.metadata.name}`);
    expect(events).toEqual(['ADDED watched', 'MODIFIED watched', 'DELETED watched']);
  });

  it('ends with the reason of its signal', async () => {
    const controller = new AbortController();
    const reason = new Error('stopped');
    await client.create(configMaps, configMap('one'));
    const watch = async () => {
      for await (const _ of client.watch(configMaps, { signal: controller.signal })) controller.abort(reason);
    };
    await expect(watch()).rejects.toBe(reason);
    await client.delete(at('one'));
  });

  it('ends when the caller stops iterating', async () => {
    await client.create(configMaps, configMap('one'));
    for await (const { type } of client.watch(configMaps)) {
      expect(type).toBe('ADDED');
      break;
    }
    await client.delete(at('one'));
  });

  it('throws the Status if the resource cannot be watched', async () => {
    expect((await thrown(drain(client.watch({ ...configMaps, resource: 'nothings' })))).code).toBe(404);
    expect((await thrown(drain(client.watch(configMaps, { labelSelector: '=' })))).code).toBe(400);
  });
});

async function drain(events: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of events);
}

describe('discovery', () => {
  it('finds resources by kind or by the names that users type', async () => {
    const found = await client.resourceOfKind({ group: 'coordination.k8s.io', kind: 'Lease' });
    expect(found).toMatchObject({ version: 'v1', resource: 'leases', namespaced: true });
    for (const name of [
      'crd',
      'crds',
      'customresourcedefinition',
      'customresourcedefinitions.apiextensions.k8s.io',
      'customresourcedefinitions.v1.apiextensions.k8s.io',
    ])
      expect(await client.findResource(name), name).toMatchObject({
        kind: 'CustomResourceDefinition',
        subresources: ['status'],
      });
    expect(await client.resourceOfKind({ group: '', kind: 'Nothing' })).toBeUndefined();
    expect((await client.findResource('cm'))!.kind).toBe('ConfigMap');
  });

  it('finds a resource that was added later', async () => {
    expect(await client.findResource('gadgets')).toBeUndefined();
    await client.create(
      { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' },
      gadgetCrd,
    );
    await eventually('the resource to be served', () => client.findResource('gadgets'));
    expect(await client.resourceOfKind({ group: 'client.example.com', kind: 'Gadget' })).toMatchObject({
      version: 'v1',
      resource: 'gadgets',
    });
  });

  it('keeps every int64 exact', async () => {
    const gadgets = { group: 'client.example.com', version: 'v1', resource: 'gadgets', namespace: 'default' };
    const object = {
      apiVersion: 'client.example.com/v1',
      kind: 'Gadget',
      metadata: { name: 'big' },
      spec: { count: 9007199254740993n },
    };
    expect((await client.create(gadgets, object))['spec']).toEqual({ count: 9007199254740993n });
    expect((await client.list(gadgets)).items[0]!['spec']).toEqual({ count: 9007199254740993n });
  });
});

const gadgetCrd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.client.example.com' },
  spec: {
    group: 'client.example.com',
    scope: 'Namespaced',
    names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget' },
    versions: ['v1', 'v1beta1'].map((name) => ({
      name,
      served: true,
      storage: name === 'v1',
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: {
            spec: { type: 'object', properties: { count: { type: 'integer', format: 'int64' } } },
          },
        },
      },
    })),
  },
};
