// Where a keyring is kept. Several processes may share a store: who comes second reads what the first has
// written.
import type { Keyring } from './keyring.ts';

export interface StoredKeyring {
  readonly keyring: Keyring;
  /** Of the store, for a write that must not undo another's. */
  readonly version: string;
}

export interface KeyringStore {
  read(): Promise<StoredKeyring | undefined>;
  /**
   * False if it is not as it was read any more (`before` undefined: it was not there). Then read it again.
   */
  write(keyring: Keyring, before: StoredKeyring | undefined): Promise<boolean>;
}

/** For hosts that keep nothing. */
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
