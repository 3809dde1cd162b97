// What values become before they are stored, and back. The prefix of a stored value says what made it.

/** Encrypts what is written and decrypts what is read. */
export interface Transformer {
  /** `key` is where the value is stored: a value that was moved elsewhere cannot be decrypted. */
  encrypt(value: Uint8Array, key: string): Uint8Array;
  /** Throws or rejects with an Error that says why it cannot. */
  decrypt(stored: Uint8Array, key: string): Uint8Array | Promise<Uint8Array>;
  /** False if a new write would encrypt with another key. */
  isCurrent(stored: Uint8Array): boolean;
}

export interface Prefixed {
  readonly prefix: string;
  readonly transformer: Transformer;
}

/** The first one writes; those whose prefix fits are tried in turn when reading. */
export class PrefixedTransformers implements Transformer {
  readonly #all: readonly { readonly prefix: Buffer; readonly transformer: Transformer }[];
  readonly #unmatched: string;

  constructor(all: readonly Prefixed[], unmatched: string) {
    this.#all = all.map(({ prefix, transformer }) => ({ prefix: Buffer.from(prefix), transformer }));
    this.#unmatched = unmatched;
  }

  encrypt(value: Uint8Array, key: string): Uint8Array {
    const { prefix, transformer } = this.#all[0]!;
    const encrypted = transformer.encrypt(value, key);
    return prefix.length === 0 ? encrypted : Buffer.concat([prefix, encrypted]);
  }

  decrypt(stored: Uint8Array, key: string): Uint8Array | Promise<Uint8Array> {
    return this.#decryptFrom(0, [], stored, key);
  }

  isCurrent(stored: Uint8Array): boolean {
    const { prefix, transformer } = this.#all[0]!;
    return startsWith(stored, prefix) && transformer.isCurrent(stored.subarray(prefix.length));
  }

  #decryptFrom(
    first: number,
    errors: readonly Error[],
    stored: Uint8Array,
    key: string,
  ): Uint8Array | Promise<Uint8Array> {
    const index = this.#all.findIndex(({ prefix }, at) => at >= first && startsWith(stored, prefix));
    if (index < 0) throw errors.length > 0 ? joined(errors) : new Error(this.#unmatched);
    const { prefix, transformer } = this.#all[index]!;
    const next = (error: unknown) =>
      this.#decryptFrom(
        index + 1,
        // What is not encrypted is no way to read what is.
        prefix.length === 0 && this.#all.length > 1 ? errors : [...errors, error as Error],
        stored,
        key,
      );
    try {
      const value = transformer.decrypt(stored.subarray(prefix.length), key);
      return value instanceof Promise ? value.catch(next) : value;
    } catch (error) {
      return next(error);
    }
  }
}

function joined(errors: readonly Error[]): Error {
  const messages = [...new Set(errors.map(({ message }) => message))];
  return new Error(messages.length === 1 ? messages[0]! : `[${messages.join(', ')}]`);
}

function startsWith(bytes: Uint8Array, prefix: Uint8Array): boolean {
  if (bytes.byteLength < prefix.byteLength) return false;
  for (let at = 0; at < prefix.byteLength; at++) if (bytes[at] !== prefix[at]) return false;
  return true;
}

const ENCRYPTED = Buffer.from('k8s:enc:');

/** True if the bytes are not an object, but an encrypted one. */
const isEncrypted = (stored: Uint8Array): boolean => startsWith(stored, ENCRYPTED);

/** Values are stored as they are. */
export const IDENTITY: Transformer = {
  encrypt: (value) => value,
  decrypt(stored) {
    if (isEncrypted(stored)) throw new Error('identity transformer tried to read encrypted data');
    return stored;
  },
  isCurrent: (stored) => !isEncrypted(stored),
};
