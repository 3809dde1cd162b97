import { afterAll, beforeAll, expect, it } from 'vitest';
import { EmbeddedApi } from './embedded-api.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
let api: EmbeddedApi;
beforeAll(async () => {
  api = await EmbeddedApi.start();
});
afterAll(() => api.close());

it('answers with the status and the body', async () => {
  expect(await api.send('GET', `${MAPS}/none`)).toMatchObject({ status: 404, body: { reason: 'NotFound' } });
});

it('returns the first events of a watch since it was opened', async () => {
  const { events } = await api.firstEvents(`${MAPS}?watch=true`, 1);
  await api.send('POST', MAPS, { metadata: { name: 'seen' } });
  expect(await events).toMatchObject([{ type: 'ADDED', object: { metadata: { name: 'seen' } } }]);
});

it('has clients with all rights', async () => {
  const namespaces = await api.client().list({ group: '', version: 'v1', resource: 'namespaces' });
  expect(namespaces.items.map(({ metadata }) => metadata.name)).toContain('default');
});
