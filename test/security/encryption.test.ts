// Secrets at rest: what those see who can read the files, or a backup of them.
import { createWriteStream, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { openStore } from '@instar/store';
import { snapshotOf, writeBackup } from '@instar/store/backup';
import { Encryption, type EncryptionConfig } from '@instar/store/encryption';
import { temporaryFolder } from '@instar/testing';
import { EmbeddedApi } from '@instar/testing/api';
import { expect, it, onTestFinished } from 'vitest';

const SECRETS = '/api/v1/namespaces/default/secrets';
const KEY = '/registry/secrets/default/s';
const ENCODED = Buffer.from('do-not-tell').toString('base64');
const folder = temporaryFolder();
const key = (name: string, fill: number) => ({ name, secret: Buffer.alloc(32, fill) });
const secrets = (...keys: ReturnType<typeof key>[]): EncryptionConfig => [
  { resources: [{ group: '', resource: 'secrets' }], providers: [{ type: 'aesgcm', keys }] },
];
const SECRET = { metadata: { name: 's' }, stringData: { password: 'do-not-tell' } };

async function stored(url: string): Promise<string> {
  const store = await openStore(url);
  const entry = await store.get(KEY);
  await store.close();
  return Buffer.from(entry!.value).toString('latin1');
}

it('neither the files nor a backup hold the content of a secret, which outlives a restart', async () => {
  const url = `lmdb:${join(folder, 'files')}`;
  const start = async () =>
    EmbeddedApi.start({ storage: url, encryption: await Encryption.open(secrets(key('k1', 1))) });
  const first = await start();
  expect((await first.send('POST', SECRETS, SECRET)).status).toBe(201);
  await first.close();
  for (const name of readdirSync(join(folder, 'files')))
    expect(readFileSync(join(folder, 'files', name)).includes(ENCODED)).toBe(false);
  const store = await openStore(url);
  const backup = join(folder, 'backup.gz');
  await writeBackup(await snapshotOf(store, '/registry/'), createWriteStream(backup));
  await store.close();
  const lines = gunzipSync(readFileSync(backup)).toString().trim().split('\n');
  const line = lines.map((one) => JSON.parse(one)).find((one) => one.key === KEY);
  const copy = Buffer.from(line.base64, 'base64').toString('latin1');
  expect(copy).toMatch(/^k8s:enc:aesgcm:v1:k1:/);
  expect(copy).not.toContain(ENCODED);
  const second = await start();
  expect((await second.send('GET', `${SECRETS}/s`)).body.data.password).toBe(ENCODED);
  await second.close();
});

it('a secret that is written again without changes is encrypted with the new key, and only then', async () => {
  const url = `lmdb:${join(folder, 'rotated')}`;
  const encryption = await Encryption.open(secrets(key('old', 1)));
  const api = await EmbeddedApi.start({ storage: url, encryption });
  const { body } = await api.send('POST', SECRETS, SECRET);
  expect((await api.send('PUT', `${SECRETS}/s`, body)).body.metadata).toEqual(body.metadata);
  await encryption.replace(secrets(key('new', 2), key('old', 1)));
  const again = await api.send('PUT', `${SECRETS}/s`, body);
  expect(again.body.metadata.resourceVersion).not.toBe(body.metadata.resourceVersion);
  await api.close();
  expect(await stored(url)).toMatch(/^k8s:enc:aesgcm:v1:new:/);
});

it('without the key, requests for secrets fail and others do not', async () => {
  const url = `lmdb:${join(folder, 'lost')}`;
  const first = await EmbeddedApi.start({
    storage: url,
    encryption: await Encryption.open(secrets(key('k1', 1))),
  });
  await first.send('POST', SECRETS, SECRET);
  await first.close();
  const api = await EmbeddedApi.start({ storage: url });
  onTestFinished(() => api.close());
  expect(await api.send('GET', SECRETS)).toMatchObject({
    status: 500,
    body: { message: expect.stringContaining(`unable to transform key "${KEY}": it is encrypted`) },
  });
  expect((await api.send('GET', '/api/v1/namespaces')).status).toBe(200);
});
