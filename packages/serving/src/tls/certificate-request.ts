// A PKCS #10 request for a certificate: who it is for, the key, and whether its signature is its own.
import { createPublicKey, verify } from 'node:crypto';
import { childrenOf, type DerElement, DerError, oidOf, readElement, stringOf } from './der-reader.ts';

/** What a request for a certificate says. */
export interface CertificateRequest {
  /** The attributes of the subject in their order. */
  readonly subject: readonly { readonly oid: string; readonly text: string }[];
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Buffer;
  /** GeneralNames. */
  readonly alternativeNames: readonly Buffer[];
  /** Why the signature is not that of the key. */
  signatureFault(): string | undefined;
}

const SEQUENCE = 0x30;
const BIT_STRING = 0x03;
const ATTRIBUTES = 0xa0;
const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';
const ALTERNATIVE_NAMES = '2.5.29.17';

/** With what the algorithms of signatures hash. */
const HASHES: ReadonlyMap<string, string | null> = new Map([
  ['1.2.840.113549.1.1.5', 'sha1'],
  ['1.2.840.113549.1.1.11', 'sha256'],
  ['1.2.840.113549.1.1.12', 'sha384'],
  ['1.2.840.113549.1.1.13', 'sha512'],
  ['1.2.840.10045.4.1', 'sha1'],
  ['1.2.840.10045.4.3.2', 'sha256'],
  ['1.2.840.10045.4.3.3', 'sha384'],
  ['1.2.840.10045.4.3.4', 'sha512'],
  ['1.3.101.112', null],
]);

const PEM = /-----BEGIN CERTIFICATE REQUEST-----([\s\S]*?)-----END CERTIFICATE REQUEST-----/;

/** Throws a DerError, with Go's words where they are known to users. */
export function parseCertificateRequest(pem: string): CertificateRequest {
  const match = PEM.exec(pem);
  if (match === null) throw new DerError('PEM block type must be CERTIFICATE REQUEST');
  const [info, algorithm, signature] = childrenOf(readElement(Buffer.from(match[1]!, 'base64')));
  if (info?.tag !== SEQUENCE || algorithm?.tag !== SEQUENCE || signature?.tag !== BIT_STRING)
    throw mismatch();
  const [, subject, key, ...rest] = childrenOf(info);
  const [oid] = childrenOf(algorithm);
  if (subject === undefined || key === undefined || oid === undefined) throw mismatch();
  return {
    subject: attributesOf(subject),
    publicKey: key.whole,
    alternativeNames: rest.filter(({ tag }) => tag === ATTRIBUTES).flatMap(alternativeNamesOf),
    signatureFault: () => signatureFault(info, key.whole, oidOf(oid), signature.content.subarray(1)),
  };
}

const mismatch = (): DerError => new DerError('asn1: structure error: tags do not match');

function attributesOf(name: DerElement): { oid: string; text: string }[] {
  return childrenOf(name)
    .flatMap(childrenOf)
    .flatMap((attribute) => {
      const [type, value] = childrenOf(attribute);
      const text = value === undefined ? undefined : stringOf(value);
      return type === undefined || text === undefined ? [] : [{ oid: oidOf(type), text }];
    });
}

function alternativeNamesOf(attributes: DerElement): Buffer[] {
  return childrenOf(attributes)
    .map(childrenOf)
    .filter(([type, values]) => values !== undefined && oidOf(type!) === EXTENSION_REQUEST)
    .flatMap(([, values]) => childrenOf(values!).flatMap(childrenOf))
    .map(childrenOf)
    .filter(([type]) => type !== undefined && oidOf(type) === ALTERNATIVE_NAMES)
    .flatMap((extension) => childrenOf(readElement(extension.at(-1)!.content)))
    .map(({ whole }) => whole);
}

function signatureFault(
  info: DerElement,
  key: Buffer,
  algorithm: string,
  signature: Buffer,
): string | undefined {
  const hash = HASHES.get(algorithm);
  if (hash === undefined) return 'x509: cannot verify signature: algorithm unimplemented';
  try {
    const publicKey = createPublicKey({ key, format: 'der', type: 'spki' });
    return verify(hash, info.whole, publicKey, signature) ? undefined : 'x509: invalid signature';
  } catch {
    return 'x509: failed to parse public key';
  }
}
