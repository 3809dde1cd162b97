// The ciphers of kube-apiserver, in its layout: the nonce, then what the cipher returns.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import type { Transformer } from './transformer.ts';

const TOO_SHORT = 'the stored data was shorter than the required size';
const GCM_NONCE_BYTES = 12;
const GCM_TAG_BYTES = 16;
const CBC_BLOCK_BYTES = 16;
const SECRETBOX_NONCE_BYTES = 24;
const SECRETBOX_TAG_BYTES = 16;

const isCurrent = (): boolean => true;

/** AES-GCM with random nonces; a value belongs to the key under which it is stored. */
export function aesGcm(secret: Uint8Array): Transformer {
  const algorithm = `aes-${(secret.byteLength * 8) as 128 | 192 | 256}-gcm` as const;
  return {
    isCurrent,
    encrypt(value, key) {
      const nonce = randomBytes(GCM_NONCE_BYTES);
      const cipher = createCipheriv(algorithm, secret, nonce);
      cipher.setAAD(Buffer.from(key));
      const encrypted = cipher.update(value);
      return Buffer.concat([nonce, encrypted, cipher.final(), cipher.getAuthTag()]);
    },
    decrypt(stored, key) {
      if (stored.byteLength < GCM_NONCE_BYTES) throw new Error(TOO_SHORT);
      const end = stored.byteLength - GCM_TAG_BYTES;
      if (end < GCM_NONCE_BYTES) throw new Error('cipher: message authentication failed');
      const nonce = stored.subarray(0, GCM_NONCE_BYTES);
      const decipher = createDecipheriv(algorithm, secret, nonce, { authTagLength: GCM_TAG_BYTES });
      decipher.setAAD(Buffer.from(key));
      decipher.setAuthTag(stored.subarray(end));
      const value = decipher.update(stored.subarray(GCM_NONCE_BYTES, end));
      authenticated(() => decipher.final());
      return value;
    },
  };
}

function authenticated(finish: () => unknown): void {
  try {
    finish();
  } catch {
    throw new Error('cipher: message authentication failed');
  }
}

/** AES-CBC with PKCS #7 padding: without authentication, as upstream. For data that is encrypted with it. */
export function aesCbc(secret: Uint8Array): Transformer {
  const algorithm = `aes-${(secret.byteLength * 8) as 128 | 192 | 256}-cbc`;
  return {
    isCurrent,
    encrypt(value) {
      const vector = randomBytes(CBC_BLOCK_BYTES);
      const cipher = createCipheriv(algorithm, secret, vector);
      return Buffer.concat([vector, cipher.update(value), cipher.final()]);
    },
    decrypt(stored) {
      if (stored.byteLength < 2 * CBC_BLOCK_BYTES) throw new Error(TOO_SHORT);
      if (stored.byteLength % CBC_BLOCK_BYTES !== 0)
        throw new Error('the stored data is not a multiple of the block size');
      const decipher = createDecipheriv(algorithm, secret, stored.subarray(0, CBC_BLOCK_BYTES));
      const value = decipher.update(stored.subarray(CBC_BLOCK_BYTES));
      try {
        return Buffer.concat([value, decipher.final()]);
      } catch {
        throw new Error('invalid padding on input');
      }
    },
  };
}

/** XSalsa20 and Poly1305, as NaCl combines them. */
export function secretbox(secret: Uint8Array): Transformer {
  return {
    isCurrent,
    encrypt(value) {
      const nonce = randomBytes(SECRETBOX_NONCE_BYTES);
      return Buffer.concat([nonce, xsalsa20poly1305(secret, nonce).encrypt(value)]);
    },
    decrypt(stored) {
      if (stored.byteLength < SECRETBOX_NONCE_BYTES + SECRETBOX_TAG_BYTES) throw new Error(TOO_SHORT);
      const nonce = stored.subarray(0, SECRETBOX_NONCE_BYTES);
      try {
        return xsalsa20poly1305(secret, nonce).decrypt(stored.subarray(SECRETBOX_NONCE_BYTES));
      } catch {
        throw new Error('the stored data could not be authenticated');
      }
    },
  };
}
