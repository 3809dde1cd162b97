import { afterAll, beforeAll, expect, it } from 'vitest';
import { EmbeddedApi } from './embedded-api.ts';

const SECRETS = '/api/v1/namespaces/default/secrets';
let api: EmbeddedApi;
beforeAll(async () => {
  api = await EmbeddedApi.start();
});
afterAll(() => api.close());

it('answers with the status and the body', async () => {
  expect(await api.send('GET', `${SECRETS}/none`)).toMatchObject({
    status: 404,
    body: { reason: 'NotFound' },
  });
});

it('returns the first events of a watch since it was opened', async () => {
  const { events } = await api.firstEvents(`${SECRETS}?watch=true`, 1);
  await api.send('POST', SECRETS, { metadata: { name: 'seen' } });
  expect(await events).toMatchObject([{ type: 'ADDED', object: { metadata: { name: 'seen' } } }]);
});

it('has clients with all rights', async () => {
  const namespaces = await api.client().list({ group: '', version: 'v1', resource: 'namespaces' });
  expect(namespaces.items.map(({ metadata }) => metadata.name)).toContain('default');
});
