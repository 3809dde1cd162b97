// What clients and probes see when the store has become read-only.
import { openStore, StoreError } from '@instar/store';
import { EmbeddedApi } from '@instar/testing/api';
import { expect, it } from 'vitest';

it('only reads succeed once the store is read-only', async () => {
  const store = await openStore('memory:');
  const api = await EmbeddedApi.start({ storage: store });
  try {
    const fault = new StoreError('unavailable', 'writing to data.mdb failed: the disk is broken');
    Object.assign(store, { fault, commit: () => Promise.reject(fault) });
    const maps = '/api/v1/namespaces/default/configmaps';
    const { status, body } = await api.send('POST', maps, { metadata: { name: 'a' } });
    expect([status, body.message]).toEqual([503, expect.stringContaining('the disk is broken')]);
    expect((await api.send('GET', maps)).status).toBe(200);
    expect((await api.send('GET', '/readyz')).status).toBe(500);
    expect((await api.send('GET', '/livez/etcd')).status).toBe(500);
  } finally {
    await api.close();
  }
});
