// Where the keys of tokens come from: the files of the operator, else one that the server makes for itself
// when a token is first signed or verified. That one is in the data directory; if servers share a storage, in
// the storage, because each must accept the tokens of the others; and without either, in memory.
import { generateKeyPair, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readNamed, writePrivateFile } from '@instar/serving';
import type { Store } from '@instar/store';
import { parseSigningKey, parseVerifyingKeys, type SigningKey, type TokenKey } from './keys.ts';

export interface KeyRing {
  readonly signing: SigningKey;
  /** Each once, in the order in which they are published. */
  readonly verifying: readonly TokenKey[];
}

export interface KeyFiles {
  readonly signingKeyFile?: string | undefined;
  readonly keyFiles?: readonly string[] | undefined;
}

interface OwnKeyPlaces {
  readonly dataDir?: string | undefined;
  readonly storage: Pick<Store, 'get' | 'commit' | 'isShared'>;
  readonly etcdPrefix: string;
}

/** Reads the files at once, so that the server does not start with bad ones. */
export async function openKeyRing(
  { signingKeyFile, keyFiles = [] }: KeyFiles,
  places: OwnKeyPlaces,
): Promise<() => Promise<KeyRing>> {
  if (signingKeyFile === undefined) {
    if (keyFiles.length > 0)
      throw new Error(
        '--service-account-key-file only verifies tokens: --service-account-signing-key-file must be given too',
      );
    return ownKeyRing(places);
  }
  const signing = parseSigningKey(await readNamed(signingKeyFile), signingKeyFile);
  const read = async (file: string) => parseVerifyingKeys(await readNamed(file), file);
  const ring = ringOf(signing, (await Promise.all(keyFiles.map(read))).flat());
  return () => Promise.resolve(ring);
}

/** What is signed is accepted, even if the operator does not list the key. */
function ringOf(signing: SigningKey, more: readonly TokenKey[]): KeyRing {
  const own: TokenKey = { id: signing.id, algorithm: signing.algorithm, key: signing.key };
  const byId = new Map([...more, own].map((key) => [key.id, key]));
  return { signing, verifying: [...byId.values()] };
}

function ownKeyRing(places: OwnKeyPlaces): () => Promise<KeyRing> {
  let ring: Promise<KeyRing> | undefined;
  return () => {
    ring ??= openOwnKey(places).then((key) => ringOf(key, []));
    // After a failure of the disk or the storage, the next token is another attempt.
    ring.catch(() => {
      ring = undefined;
    });
    return ring;
  };
}

async function openOwnKey(places: OwnKeyPlaces): Promise<SigningKey> {
  const { dataDir, storage } = places;
  if (storage.isShared) return openSharedKey(places);
  if (dataDir === undefined) return parseSigningKey(await newKey(), 'the new key');
  const file = join(dataDir, 'pki', 'service-account.key');
  const stored = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  const pem = stored ?? (await newKey());
  if (stored === undefined) await writePrivateFile(file, pem);
  return parseSigningKey(pem, file);
}

/** Beside the objects, where no request reaches it. The first server stores it, the others find it. */
async function openSharedKey({ storage, etcdPrefix }: OwnKeyPlaces): Promise<SigningKey> {
  const key = `${etcdPrefix.replace(/\/+$/, '')}/instar/service-account-key`;
  const stored = await storage.get(key);
  if (stored !== undefined) return parseSigningKey(textOf(stored.value), key);
  const pem = await newKey();
  const { committed } = await storage.commit({
    conditions: [{ key, modRevision: 0 }],
    operations: [{ type: 'put', key, value: Buffer.from(pem) }],
  });
  if (committed) return parseSigningKey(pem, key);
  const first = await storage.get(key);
  if (first === undefined) throw new Error(`the key of tokens at ${key} was removed while it was read`);
  return parseSigningKey(textOf(first.value), key);
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

/** RSA, as all other tools that read such tokens understand it. Made in a thread: it takes a while. */
async function newKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  return (privateKey as KeyObject).export({ type: 'pkcs8', format: 'pem' }) as string;
}
