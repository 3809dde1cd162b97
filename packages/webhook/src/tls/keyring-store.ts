// Where a keyring is stored. Several processes may share a store: the second reads what the first has
// written.
import type { Keyring } from './keyring.ts';

export interface StoredKeyring {
  readonly keyring: Keyring;
  /** The precondition of a write, so that it does not overwrite another. */
  readonly version: string;
}

export interface KeyringStore {
  read(): Promise<StoredKeyring | undefined>;
  /** False if the stored keyring is no longer `before` (undefined: none existed). Then read it again. */
  write(keyring: Keyring, before: StoredKeyring | undefined): Promise<boolean>;
}

/** For hosts without persistent certificates. */
export function memoryStore(): KeyringStore {
  let stored: StoredKeyring | undefined;
  return {
    read: async () => stored,
    write: async (keyring) => {
      stored = { keyring, version: '' };
      return true;
    },
  };
}
