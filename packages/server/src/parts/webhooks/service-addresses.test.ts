import { afterEach, beforeEach, expect, it } from 'vitest';
import { TestApi } from '../../testing/test-api.ts';
import { serviceAddresses } from './service-addresses.ts';

const SERVICES = '/api/v1/namespaces/default/services';
let api: TestApi;
beforeEach(async () => {
  api = await TestApi.start();
});
afterEach(() => api.close());

const resolve = (port = 443, mapping = {}) =>
  serviceAddresses(api.registry, mapping).resolve('default', 'hook', port);
const service = (spec: object) => api.ok('POST', SERVICES, { metadata: { name: 'hook' }, spec });

it('prefers the configured address', async () => {
  expect(await resolve(443, { 'default/hook': '127.0.0.1:9443' })).toEqual({ host: '127.0.0.1', port: 9443 });
  expect(await resolve(443, { 'default/hook': 'localhost' })).toEqual({ host: 'localhost', port: 443 });
  expect(await resolve(8, { 'default/hook': 'a:1', 'default/hook:8': '[::1]:2' })).toEqual({
    host: '::1',
    port: 2,
  });
  await expect(resolve(443, { 'other/hook': 'a:1' })).rejects.toThrow('service "hook" not found');
});

it('finds the endpoints of the port', async () => {
  await service({ ports: [{ name: 'tls', port: 443, targetPort: 9443 }] });
  await expect(resolve()).rejects.toThrow('no endpoints available for service "hook"');
  await expect(resolve(8443)).rejects.toThrow('no service port 8443 found for service "hook"');
  const subsets = [
    {
      addresses: [{ ip: '192.0.2.7' }],
      ports: [
        { name: 'tls', port: 9443 },
        { name: 'other', port: 1 },
      ],
    },
  ];
  await api.ok('POST', '/api/v1/namespaces/default/endpoints', { metadata: { name: 'hook' }, subsets });
  expect(await resolve()).toEqual({ host: '192.0.2.7', port: 9443 });
});

it('finds endpoint slices that are ready', async () => {
  await service({ ports: [{ port: 443, targetPort: 9443 }] });
  await api.ok('POST', '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
    metadata: { name: 'hook-1', labels: { 'kubernetes.io/service-name': 'hook' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['192.0.2.8'], conditions: { ready: false } }, { addresses: ['192.0.2.9'] }],
    ports: [{ name: '', port: 9443 }],
  });
  expect(await resolve()).toEqual({ host: '192.0.2.9', port: 9443 });
});

it('follows an external name', async () => {
  await service({ type: 'ExternalName', externalName: 'hooks.example.com' });
  expect(await resolve(8443)).toEqual({ host: 'hooks.example.com', port: 8443 });
});
