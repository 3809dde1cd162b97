// LMDB keys to and from JavaScript, written directly into lmdb's buffers. A Buffer is used as it is.
import { readNumber, writeNumber } from './records.ts';

export interface VersionKey {
  readonly key: string;
  readonly modRevision: number;
}

export interface ExpiryKey {
  readonly time: number;
  readonly key: string;
}

export interface KeyEncoding<K> {
  writeKey(key: K | Buffer, target: Buffer, start: number): number;
  readKey(source: Buffer, start: number, end: number): K;
}

const writeBytes = (bytes: Buffer, target: Buffer, start: number): number => {
  target.set(bytes, start);
  return start + bytes.length;
};

export const textKeys: KeyEncoding<string> = {
  writeKey: (key, target, start) =>
    typeof key === 'string' ? start + target.write(key, start, 'utf8') : writeBytes(key, target, start),
  readKey: (source, start, end) => source.toString('utf8', start, end),
};

export const numberKeys: KeyEncoding<number> = {
  writeKey: (key, target, start) =>
    typeof key === 'number' ? writeNumber(target, key, start) : writeBytes(key, target, start),
  readKey: (source, start) => readNumber(source, start),
};

export const versionKeys: KeyEncoding<VersionKey> = {
  writeKey: (key, target, start) => {
    if (key instanceof Uint8Array) return writeBytes(key, target, start);
    const end = start + target.write(key.key, start, 'utf8');
    target[end] = 0;
    return writeNumber(target, key.modRevision, end + 1);
  },
  readKey: (source, start, end) => ({
    key: source.toString('utf8', start, end - 9),
    modRevision: readNumber(source, end - 8),
  }),
};

export const expiryKeys: KeyEncoding<ExpiryKey> = {
  writeKey: (key, target, start) => {
    if (key instanceof Uint8Array) return writeBytes(key, target, start);
    const at = writeNumber(target, key.time, start);
    return at + target.write(key.key, at, 'utf8');
  },
  readKey: (source, start, end) => ({
    time: readNumber(source, start),
    key: source.toString('utf8', start + 8, end),
  }),
};

/** The same keys after a byte for their region. */
export function within<K>(region: number, keys: KeyEncoding<K>): KeyEncoding<K> {
  return {
    writeKey: (key, target, start) => {
      target[start] = region;
      return keys.writeKey(key, target, start + 1);
    },
    readKey: (source, start, end) => keys.readKey(source, start + 1, end),
  };
}

/** The bytes that all keys with a prefix lie between: 0xff follows every UTF-8 byte. */
export function boundsOf(prefix: string): { start: Buffer; end: Buffer } {
  return { start: Buffer.from(prefix), end: Buffer.concat([Buffer.from(prefix), Buffer.of(0xff)]) };
}
