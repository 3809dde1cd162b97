// Keys of tokens, from PEM: which algorithm each is for, and the id by which tokens name it.
import { createPrivateKey, createPublicKey, hash, type KeyObject } from 'node:crypto';
import { PemFileError } from '@instar/serving';

type TokenAlgorithm = 'RS256' | 'ES256' | 'ES384' | 'ES512';

/** One that verifies; `key` is public. */
export interface TokenKey {
  /** As kube-apiserver derives it, so that tokens of either verify with the other. */
  readonly id: string;
  readonly algorithm: TokenAlgorithm;
  readonly key: KeyObject;
}

export interface SigningKey extends TokenKey {
  readonly privateKey: KeyObject;
}

const MIN_RSA_BITS = 2048;
const CURVES: ReadonlyMap<string | undefined, TokenAlgorithm> = new Map([
  ['prime256v1', 'ES256'],
  ['secp384r1', 'ES384'],
  ['secp521r1', 'ES512'],
]);
const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[^-]*-----END \1-----/g;
const PARAMETERS = 'EC PARAMETERS';

/** The first private key of a file. */
export function parseSigningKey(pem: string, file: string): SigningKey {
  const block = blocksOf(pem).find((each) => each.includes('PRIVATE KEY'));
  if (block === undefined) throw new PemFileError(file, 'contains no private key');
  const privateKey = attempt(file, () => createPrivateKey(block));
  return { ...tokenKey(createPublicKey(privateKey), file), privateKey };
}

/** All keys of a file: of a private key, the public one that belongs to it. */
export function parseVerifyingKeys(pem: string, file: string): TokenKey[] {
  const keys = blocksOf(pem).map((block) =>
    tokenKey(
      attempt(file, () => createPublicKey(block)),
      file,
    ),
  );
  if (keys.length === 0) throw new PemFileError(file, 'contains no key');
  return keys;
}

const blocksOf = (pem: string): string[] =>
  Array.from(pem.matchAll(BLOCK), ([block, label]) => (label === PARAMETERS ? '' : block)).filter(
    (block) => block !== '',
  );

function attempt(file: string, parse: () => KeyObject): KeyObject {
  try {
    return parse();
  } catch (error) {
    const isEncrypted = (error as NodeJS.ErrnoException).code === 'ERR_MISSING_PASSPHRASE';
    throw new PemFileError(
      file,
      isEncrypted
        ? 'contains a key with a passphrase, which cannot be entered here'
        : 'contains a key that cannot be read',
    );
  }
}

function tokenKey(key: KeyObject, file: string): TokenKey {
  const der = key.export({ type: 'spki', format: 'der' });
  return { id: hash('sha256', der, 'base64url'), algorithm: algorithmOf(key, file), key };
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject, file: string): TokenAlgorithm {
  if (asymmetricKeyType === 'rsa') {
    if (asymmetricKeyDetails!.modulusLength! >= MIN_RSA_BITS) return 'RS256';
    throw new PemFileError(file, `contains an RSA key with fewer than ${MIN_RSA_BITS} bits`);
  }
  const algorithm = CURVES.get(asymmetricKeyDetails?.namedCurve);
  if (asymmetricKeyType === 'ec' && algorithm !== undefined) return algorithm;
  throw new PemFileError(
    file,
    'contains a key that is neither RSA nor of one of the curves P-256, P-384 and P-521',
  );
}
