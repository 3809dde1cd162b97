// A keyring in a directory: one file that is replaced atomically, and the CA in another, for clients to
// trust.
import { createHash, randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory, writePrivateFile } from '@instar/serving';
import { caBundleOf, type Keyring } from './keyring.ts';
import type { KeyringStore, StoredKeyring } from './keyring-store.ts';

export function directoryStore(directory: string): KeyringStore {
  const file = join(directory, 'keyring.json');
  return {
    read: () => readKeyring(file),
    async write(keyring, before) {
      await makeDirectory(directory);
      const text = JSON.stringify(keyring);
      if (before === undefined) {
        if (!(await createPrivately(file, text))) return false;
      } else {
        if ((await readKeyring(file))?.version !== before.version) return false;
        await writePrivateFile(file, text);
      }
      await writePrivateFile(join(directory, 'ca.crt'), caBundleOf(keyring), 0o644);
      return true;
    },
  };
}

async function readKeyring(file: string): Promise<StoredKeyring | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  return { keyring: parsed(file, text), version: createHash('sha256').update(text).digest('hex') };
}

/** A broken file is an error, never silently replaced: clients may trust its CA. */
function parsed(file: string, text: string): Keyring {
  try {
    const keyring = JSON.parse(text) as Keyring;
    if (Array.isArray(keyring.cas) && typeof keyring.serving?.key === 'string') return keyring;
  } catch {
    // Reported below.
  }
  throw new Error(`${file} contains no certificates of the webhook kit; remove it to have new ones made`);
}

/** Creates the file atomically; false if it exists. */
async function createPrivately(file: string, text: string): Promise<boolean> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  await writeFile(temporary, text, { mode: 0o600, flush: true });
  try {
    await link(temporary, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}
