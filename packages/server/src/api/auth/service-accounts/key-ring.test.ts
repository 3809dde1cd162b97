import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Commit, openStore } from '@instar/store';
import { temporaryFolder } from '@instar/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { openKeyRing } from './key-ring.ts';

const folder = temporaryFolder();
const pem = (key: KeyObject, type: 'pkcs1' | 'pkcs8' | 'sec1' | 'spki'): string =>
  key.export({ type, format: 'pem' } as never) as string;
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const signingKeyFile = file('rsa.key', pem(rsa.privateKey, 'pkcs1'));
const store = await openStore('memory:');
afterAll(() => store.close());
const places = (dataDir?: string) => ({ dataDir, storage: store, etcdPrefix: '/registry' });

describe('the keys of the operator', () => {
  it('verify in the order in which they are given, with the one that signs', async () => {
    const both = `${pem(ec.privateKey, 'sec1')}${pem(rsa.publicKey, 'spki')}`;
    const open = await openKeyRing({ signingKeyFile, keyFiles: [file('keys.pem', both)] }, places());
    const { signing, verifying } = await open();
    expect(verifying.map(({ algorithm }) => algorithm)).toEqual(['ES384', 'RS256']);
    expect(verifying[1]!.id).toBe(signing.id);
    expect(verifying.every(({ key }) => key.type === 'public')).toBe(true);
  });

  it.each([
    ['nothing', '', 'contains no private key'],
    ['a public key', pem(rsa.publicKey, 'spki'), 'contains no private key'],
    [
      'a small key',
      pem(generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey, 'pkcs8'),
      'contains an RSA key with fewer than 2048 bits',
    ],
    [
      'a key of another kind',
      pem(generateKeyPairSync('ed25519').privateKey, 'pkcs8'),
      'contains a key that is neither RSA nor of one of the curves P-256, P-384 and P-521',
    ],
  ])('are refused if the file has %s', async (_, text, why) => {
    const bad = file('bad.key', text);
    await expect(openKeyRing({ signingKeyFile: bad }, places())).rejects.toThrow(`${bad} ${why}`);
  });

  it('cannot only verify', async () => {
    await expect(openKeyRing({ keyFiles: [signingKeyFile] }, places())).rejects.toThrow(
      '--service-account-signing-key-file must be given too',
    );
  });
});

describe('the own key', () => {
  it('is made when it is first needed, and found again in the data directory', async () => {
    const dataDir = join(folder, 'data');
    mkdirSync(join(dataDir, 'pki'), { recursive: true });
    const idOf = async () => (await (await openKeyRing({}, places(dataDir)))()).signing.id;
    const first = await idOf();
    expect(await idOf()).toBe(first);
    expect(statSync(join(dataDir, 'pki', 'service-account.key')).mode & 0o777).toBe(0o600);
  });

  it('is the same for all servers over one storage', async () => {
    const storage = {
      isShared: true,
      get: (key: string) => store.get(key),
      commit: (commit: Commit) => store.commit(commit),
    };
    const open = async () => (await openKeyRing({}, { storage, etcdPrefix: '/registry/' }))();
    const [one, other] = await Promise.all([open(), open()]);
    expect(one.signing.id).toBe(other.signing.id);
    expect((await open()).signing.id).toBe(one.signing.id);
    const { entries } = await store.list({ prefix: '/registry/' });
    expect(entries.map(({ key }) => key)).toEqual(['/registry/instar/service-account-key']);
  });
});
