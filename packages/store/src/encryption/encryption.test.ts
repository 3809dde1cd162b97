import { join } from 'node:path';
import { temporaryFolder } from '@instar/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeStoreContract } from '../contract/index.ts';
import { openStore } from '../open.ts';
import type { Store } from '../store.ts';
import { KmsPlugin } from '../testing/kms-plugin.ts';
import {
  KUBE_APISERVER_KEYS,
  KUBE_APISERVER_NAMES,
  KUBE_APISERVER_VALUES,
} from '../testing/kube-apiserver-values.ts';
import { aesGcm } from './ciphers.ts';
import type { EncryptionConfig, EncryptionProvider } from './config.ts';
import { EncryptedStore } from './encrypted-store.ts';
import { Encryption } from './encryption.ts';
import type { Transformer } from './transformer.ts';

const KEY = '/registry/enc.example.com/widgets/default/w';
const gcm = aesGcm(Buffer.alloc(32, 1));
/** As with a key management service that is asked about every value. */
const late: Transformer = {
  ...gcm,
  decrypt: async (stored, key) => {
    await new Promise((resume) => setImmediate(resume));
    return gcm.decrypt(stored, key);
  },
};

describeStoreContract('an encrypted store', {
  open: async (options) => new EncryptedStore(await openStore('memory:', options), () => gcm),
});
describeStoreContract('an encrypted store that has to ask', {
  open: async (options) => new EncryptedStore(await openStore('memory:', options), () => late),
});

const CIPHERS = ['aesgcm', 'aescbc', 'secretbox'] as const;
const cipher = (type: (typeof CIPHERS)[number], name: string, fill: number): EncryptionProvider => ({
  type,
  keys: [{ name, secret: Buffer.alloc(32, fill) }],
});
const identity: EncryptionProvider = { type: 'identity' };
const widgets = (...providers: EncryptionProvider[]): EncryptionConfig => [
  { resources: [{ group: 'enc.example.com', resource: 'widgets' }], providers },
];

async function open(config: EncryptionConfig) {
  const raw = await openStore('memory:');
  const encryption = await Encryption.open(config);
  onTestFinished(async () => {
    encryption.close();
    await raw.close();
  });
  return { raw, encryption, store: encryption.storeFor(raw, 'enc.example.com', 'widgets') };
}

const put = (store: Store, text: string, key = KEY) =>
  store.commit({ conditions: [], operations: [{ type: 'put', key, value: Buffer.from(text) }] });
const textAt = async (store: Store, key = KEY): Promise<string> =>
  Buffer.from((await store.get(key))!.value).toString('latin1');

describe.each(CIPHERS)('%s', (type) => {
  it('reads what kube-apiserver has written', async () => {
    const { raw, store } = await open(widgets({ type, keys: [KUBE_APISERVER_KEYS[type]] }));
    const name = KUBE_APISERVER_NAMES[type];
    const key = `/registry/enc.example.com/widgets/default/${name}`;
    const value = Buffer.from(KUBE_APISERVER_VALUES[type], 'base64');
    await raw.commit({ conditions: [], operations: [{ type: 'put', key, value }] });
    expect(JSON.parse(await textAt(store, key))).toMatchObject({ metadata: { name }, spec: { x: 1 } });
  });

  it('stores the name of the key and nothing that can be read', async () => {
    const { raw, store } = await open(widgets(cipher(type, 'k1', 1), identity));
    await put(store, 'do-not-tell');
    const stored = await textAt(raw);
    expect(stored.startsWith(`k8s:enc:${type}:v1:k1:`)).toBe(true);
    expect(stored).not.toContain('do-not-tell');
    expect(await textAt(store)).toBe('do-not-tell');
  });

  it('reads with every key and writes with the first', async () => {
    const { encryption, raw, store } = await open(widgets(cipher(type, 'old', 1)));
    await put(store, 'a');
    const both = { type, keys: [cipher(type, 'new', 2), cipher(type, 'old', 1)].flatMap(keysOf) };
    await encryption.replace(widgets(both));
    expect(await textAt(store)).toBe('a');
    expect(await store.isOutdated!(KEY)).toBe(true);
    await put(store, 'a');
    expect(await store.isOutdated!(KEY)).toBe(false);
    expect(await textAt(raw)).toMatch(new RegExp(`^k8s:enc:${type}:v1:new:`));
  });
});

it.each(['aesgcm', 'secretbox'] as const)(
  '%s does not read what another key has written under the same name',
  async (type) => {
    const { encryption, store } = await open(widgets(cipher(type, 'k1', 1)));
    await put(store, 'a');
    await encryption.replace(widgets(cipher(type, 'k1', 3)));
    await expect(store.get(KEY)).rejects.toMatchObject({ code: 'unreadable' });
  },
);

const keysOf = (provider: EncryptionProvider) => ('keys' in provider ? provider.keys : []);

it('a value that was moved to another key cannot be read', async () => {
  const { raw, store } = await open(widgets(cipher('aesgcm', 'k1', 1)));
  await put(store, 'admin');
  const { value } = (await raw.get(KEY))!;
  await raw.commit({ conditions: [], operations: [{ type: 'put', key: `${KEY}2`, value }] });
  await expect(store.get(`${KEY}2`)).rejects.toThrow('message authentication failed');
});

it('what is not encrypted yet is read if a provider says so', async () => {
  const { encryption, raw, store } = await open(widgets(cipher('aesgcm', 'k1', 1), identity));
  await put(raw, '{}');
  expect(await textAt(store)).toBe('{}');
  expect(await store.isOutdated!(KEY)).toBe(true);
  await encryption.replace(widgets(cipher('aesgcm', 'k1', 1)));
  await expect(store.get(KEY)).rejects.toThrow(`unable to transform key "${KEY}": no matching prefix found`);
});

it('resources without a rule are stored as they are, and encrypted ones not shown', async () => {
  const { encryption, raw, store } = await open(widgets(cipher('aesgcm', 'k1', 1)));
  const others = encryption.storeFor(raw, 'enc.example.com', 'gadgets');
  await put(others, '{}', `${KEY}2`);
  expect(await textAt(raw, `${KEY}2`)).toBe('{}');
  await put(store, '{}');
  await expect(others.get(KEY)).rejects.toThrow('identity transformer tried to read encrypted data');
});

it.each([
  ['all of a group', { group: 'enc.example.com', resource: '*' }],
  ['everything', { group: '*', resource: '*' }],
])('a rule for %s encrypts', async (_, resource) => {
  const { raw, store } = await open([{ resources: [resource], providers: [cipher('aesgcm', 'k1', 1)] }]);
  await put(store, '{}');
  expect(await textAt(raw)).toMatch(/^k8s:enc:aesgcm/);
});

it('a watch ends when it cannot read a value', async () => {
  const { raw, store } = await open(widgets(cipher('aesgcm', 'k1', 1)));
  const ended = new Promise((resolve) =>
    store.watch({ prefix: KEY, fromRevision: 2, onBatch: () => {}, onEnd: resolve }),
  );
  await put(raw, 'k8s:enc:aesgcm:v1:k1:nonsense, long enough to be taken for a value');
  expect(await ended).toMatchObject({ code: 'unreadable' });
});

describe('a key management service', () => {
  const folder = temporaryFolder();
  let count = 0;

  async function start() {
    const plugin = await KmsPlugin.start(join(folder, `${++count}.sock`));
    onTestFinished(() => plugin.close());
    const kms = { name: 'mine', socket: plugin.socket, timeoutMs: 2000 };
    return { plugin, config: widgets({ type: 'kms', kms }, identity) };
  }

  it('is asked for one key, not for every value', async () => {
    const { plugin, config } = await start();
    const { raw, store } = await open(config);
    for (const name of ['a', 'b', 'c']) await put(store, name, `${KEY}/${name}`);
    expect(await textAt(raw, `${KEY}/a`)).toMatch(/^k8s:enc:kms:v2:mine:/);
    expect((await store.list({ prefix: KEY })).entries.map(({ value }) => String(value))).toEqual([
      'a',
      'b',
      'c',
    ]);
    expect(plugin.calls).toEqual(['Status', 'Encrypt']);
  });

  it('decrypts what another server has written, asked once', async () => {
    const { plugin, config } = await start();
    const { raw, store } = await open(config);
    for (const name of ['a', 'b']) await put(store, name, `${KEY}/${name}`);
    const other = await Encryption.open(config);
    onTestFinished(() => other.close());
    plugin.calls.length = 0;
    const read = other.storeFor(raw, 'enc.example.com', 'widgets');
    expect(await Promise.all([textAt(read, `${KEY}/a`), textAt(read, `${KEY}/b`)])).toEqual(['a', 'b']);
    expect(plugin.calls).toEqual(['Decrypt']);
  });

  it('may change its key: values are outdated then, and can still be read', async () => {
    const { plugin, config } = await start();
    const { encryption, store } = await open(config);
    await put(store, 'a');
    plugin.keyId = 'key-2';
    await encryption.replace(config);
    expect(await textAt(store)).toBe('a');
    expect(await store.isOutdated!(KEY)).toBe(true);
    await put(store, 'a');
    expect(await store.isOutdated!(KEY)).toBe(false);
  });

  it('that does not work makes the check fail, and writes', async () => {
    const { plugin, config } = await start();
    plugin.fault = 'sealed';
    const { encryption, store } = await open(config);
    await expect(encryption.check()).rejects.toThrow(
      'kms-provider-0: failed to perform status section of the healthz check for KMS Provider mine, error: sealed',
    );
    await expect(put(store, 'a')).rejects.toMatchObject({ code: 'unreadable' });
  });

  it('that says that it is ill makes the check fail', async () => {
    const { plugin, config } = await start();
    plugin.healthz = 'ill';
    const { encryption } = await open(config);
    await expect(encryption.check()).rejects.toThrow('got unexpected healthz status: ill');
  });
});
