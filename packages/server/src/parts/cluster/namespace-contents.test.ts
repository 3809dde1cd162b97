import { SILENT } from '@instar/serving';
import { eventually } from '@instar/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TestApi } from '../../testing/test-api.ts';
import type { KeyedController } from './keyed-controller.ts';
import { rootCaPublisher } from './root-ca-publisher.ts';
import { serviceAccountController } from './service-account-controller.ts';

const ACCOUNT = '/api/v1/namespaces/team/serviceaccounts/default';
const MAP = '/api/v1/namespaces/team/configmaps/kube-root-ca.crt';
let api: TestApi;
let controllers: KeyedController[];

beforeEach(async () => {
  api = await TestApi.start();
  controllers = [
    serviceAccountController(api.registry, SILENT),
    rootCaPublisher(api.registry, SILENT, 'PEM'),
  ];
  for (const controller of controllers) await controller.start();
  await api.ok('POST', '/api/v1/namespaces', { metadata: { name: 'team' } });
});
afterEach(async () => {
  for (const controller of controllers) await controller.stop();
  await api.close();
});

const isThere = (url: string) =>
  eventually(`${url} to be there`, async () => (await api.call('GET', url)).status === 200);

it('gives every namespace a service account, and again when it is deleted', async () => {
  await isThere(ACCOUNT);
  const { uid } = (await api.ok('GET', ACCOUNT)).metadata;
  await api.ok('DELETE', ACCOUNT);
  await isThere(ACCOUNT);
  expect((await api.ok('GET', ACCOUNT)).metadata.uid).not.toBe(uid);
});

it('publishes the certificate, again when it is deleted, and right when it is changed', async () => {
  await isThere(MAP);
  await api.ok('DELETE', MAP);
  await isThere(MAP);
  await api.ok('PATCH', MAP, { data: { 'ca.crt': 'other', more: 'x' } });
  const data = async () => (await api.ok('GET', MAP)).data;
  await eventually('the certificate', async () => (await data())['ca.crt'] === 'PEM');
  expect(await data()).toEqual({ 'ca.crt': 'PEM' });
});

it('creates nothing in a namespace that is being deleted', async () => {
  await isThere(ACCOUNT);
  await isThere(MAP);
  await api.ok('DELETE', '/api/v1/namespaces/team');
  await api.ok('DELETE', ACCOUNT);
  await api.ok('POST', '/api/v1/namespaces', { metadata: { name: 'later' } });
  await isThere('/api/v1/namespaces/later/serviceaccounts/default');
  expect((await api.call('GET', ACCOUNT)).status).toBe(404);
});
