// The scheme of KMS v2: from one seed a key is derived for each value, so that random nonces never wear a
// key out. The expansion of RFC 5869 for a key of one block is one HMAC.
import { createHmac, randomBytes } from 'node:crypto';
import { aesGcm } from '../ciphers.ts';

export const SEED_BYTES = 32;
const INFO_BYTES = 32;
const FIRST_BLOCK = Buffer.from([1]);

const derivedKey = (seed: Uint8Array, info: Uint8Array): Buffer =>
  createHmac('sha256', seed).update(info).update(FIRST_BLOCK).digest();

export function encryptWithSeed(seed: Uint8Array, value: Uint8Array, key: string): Buffer {
  const info = randomBytes(INFO_BYTES);
  return Buffer.concat([info, aesGcm(derivedKey(seed, info)).encrypt(value, key)]);
}

export function decryptWithSeed(seed: Uint8Array, stored: Uint8Array, key: string): Uint8Array {
  if (stored.byteLength < INFO_BYTES) throw new Error('the stored data was shorter than the required size');
  const info = stored.subarray(0, INFO_BYTES);
  return aesGcm(derivedKey(seed, info)).decrypt(stored.subarray(INFO_BYTES), key) as Uint8Array;
}
