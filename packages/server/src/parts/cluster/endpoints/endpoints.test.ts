import { SILENT } from '@instar/serving';
import { eventually } from '@instar/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Json, TestApi } from '../../../testing/test-api.ts';
import type { KeyedController } from '../keyed-controller.ts';
import { endpointSliceController } from './endpoint-slice-controller.ts';
import { endpointSliceMirroringController } from './endpoint-slice-mirroring-controller.ts';
import { endpointsController } from './endpoints-controller.ts';

const CORE = '/api/v1/namespaces/default';
const SLICES = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
let api: TestApi;
let controllers: KeyedController[];

beforeEach(async () => {
  api = await TestApi.start();
  controllers = [endpointsController, endpointSliceController, endpointSliceMirroringController].map((make) =>
    make(api.registry, SILENT),
  );
  for (const controller of controllers) await controller.start();
});
afterEach(async () => {
  for (const controller of controllers) await controller.stop();
  await api.close();
});

async function pod(name: string, ip: string, { ready = true, labels = { app: 'a' } } = {}): Promise<void> {
  const ports = [{ name: 'web', containerPort: 8080 }];
  await api.ok('POST', `${CORE}/pods`, {
    metadata: { name, labels },
    spec: { containers: [{ name: 'c', image: 'i', ports }] },
  });
  await api.ok('PATCH', `${CORE}/pods/${name}/status`, {
    status: {
      podIP: ip,
      podIPs: [{ ip }],
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }],
    },
  });
}

const service = (spec: object): Promise<Json> =>
  api.ok('POST', `${CORE}/services`, {
    metadata: { name: 's', labels: { team: 'x' } },
    spec: { ports: [{ port: 80, targetPort: 'web' }], ...spec },
  });
const subsets = async (): Promise<Json> => (await api.call('GET', `${CORE}/endpoints/s`)).body.subsets;
const slices = async (): Promise<Json[]> => (await api.ok('GET', SLICES)).items;
const addressesOf = (slice: Json): string[] =>
  (slice.endpoints ?? []).flatMap(({ addresses }: Json) => addresses).sort();

it('lists the pods that a service selects, ready and not ready', async () => {
  await service({ selector: { app: 'a' } });
  await pod('p1', '10.1.0.1');
  await pod('p2', '10.1.0.2', { ready: false });
  await pod('other', '10.1.0.3', { labels: { app: 'b' } });
  await eventually('both addresses', async () => {
    const [subset] = (await subsets()) ?? [];
    return subset?.addresses?.length === 1 && subset.notReadyAddresses?.length === 1;
  });
  const [subset] = await subsets();
  expect(subset.addresses[0]).toMatchObject({ ip: '10.1.0.1', targetRef: { kind: 'Pod', name: 'p1' } });
  expect(subset.ports).toEqual([{ port: 8080, protocol: 'TCP' }]);
  await eventually('both in the slice', async () => {
    const all = await slices();
    return all.length === 1 && addressesOf(all[0]).length === 2;
  });
  const [slice] = await slices();
  expect(slice.metadata.labels).toEqual({
    team: 'x',
    'kubernetes.io/service-name': 's',
    'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
  });
  expect(slice.metadata.ownerReferences[0]).toMatchObject({ kind: 'Service', name: 's', controller: true });
  const notReady = slice.endpoints.find(({ addresses }: Json) => addresses[0] === '10.1.0.2');
  expect(notReady.conditions).toEqual({ ready: false, serving: false, terminating: false });
});

it('has an empty slice and empty endpoints for a service without pods', async () => {
  await service({ selector: { app: 'none' } });
  await eventually('a slice', async () => (await slices()).length === 1);
  await eventually('endpoints', async () => (await api.call('GET', `${CORE}/endpoints/s`)).status === 200);
  expect(await subsets()).toBeUndefined();
  expect((await slices())[0]).toMatchObject({ addressType: 'IPv4', endpoints: null });
});

it('takes away pods that go, and deletes endpoints with their service', async () => {
  await service({ selector: { app: 'a' } });
  await pod('p1', '10.1.0.1');
  await eventually('the address', async () => (await subsets()) !== undefined);
  await api.ok('DELETE', `${CORE}/pods/p1?gracePeriodSeconds=0`);
  await eventually('no address', async () => (await subsets()) === undefined);
  await api.ok('DELETE', `${CORE}/services/s`);
  await eventually('no endpoints', async () => (await api.call('GET', `${CORE}/endpoints/s`)).status === 404);
});

it('writes endpoints again that somebody has changed', async () => {
  await service({ selector: { app: 'a' } });
  await pod('p1', '10.1.0.1');
  await eventually('the address', async () => (await subsets()) !== undefined);
  await api.ok('PATCH', `${CORE}/endpoints/s`, { subsets: null });
  await eventually('the address again', async () => (await subsets()) !== undefined);
});

it('leaves services without a selector alone, and mirrors the endpoints that somebody writes', async () => {
  await service({});
  await api.ok('POST', `${CORE}/endpoints`, {
    metadata: { name: 's' },
    subsets: [{ addresses: [{ ip: '10.9.0.1' }], ports: [{ name: 'p', port: 80 }] }],
  });
  await eventually('a mirror', async () => (await slices()).length === 1);
  const [slice] = await slices();
  expect(slice.metadata.labels['endpointslice.kubernetes.io/managed-by']).toBe(
    'endpointslicemirroring-controller.k8s.io',
  );
  expect(addressesOf(slice)).toEqual(['10.9.0.1']);
  await api.ok('PATCH', `${CORE}/endpoints/s`, {
    subsets: [{ addresses: [{ ip: '10.9.0.2' }], ports: [{ name: 'p', port: 80 }] }],
  });
  await eventually('the new address', async () => addressesOf((await slices())[0])[0] === '10.9.0.2');
  await api.ok('DELETE', `${CORE}/endpoints/s`);
  await eventually('no mirror', async () => (await slices()).length === 0);
});

it('puts at most a hundred endpoints into a slice', async () => {
  await service({ selector: { app: 'a' } });
  await Promise.all(Array.from({ length: 105 }, (_, i) => pod(`p${i}`, `10.2.${i >> 6}.${(i & 63) + 1}`)));
  await eventually('all addresses', async () => (await slices()).flatMap(addressesOf).length === 105);
  const sizes = (await slices()).map((slice) => addressesOf(slice).length);
  expect(sizes.sort((a, b) => a - b)).toEqual([5, 100]);
});
