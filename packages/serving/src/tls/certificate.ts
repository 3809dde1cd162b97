// Creates X.509 certificates with ECDSA P-256 keys: a CA, and certificates that it signs for servers and
// clients. About a millisecond each, which is why no library is loaded for it (see docs/decisions).
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { isIPv4 } from 'node:net';
import { der } from './der.ts';
import { isAddress } from './hosts.ts';

interface Subject {
  readonly commonName: string;
  readonly organizations?: readonly string[];
}

/** Both in PEM. */
export interface CertificateAndKey {
  readonly certificate: string;
  readonly key: string;
}

export interface LeafOptions {
  readonly subject: Subject;
  readonly usage: 'server' | 'client';
  /** DNS names and IP addresses, for servers. */
  readonly hosts?: readonly string[];
  readonly days: number;
}

const DAY_MS = 86_400_000;
/** Clocks differ: a certificate is valid from a little before it was made. */
const SKEW_MS = 5 * 60_000;

/** Creates a certificate authority. */
export function createCa(commonName: string, days: number, keyPem = newKey()): CertificateAndKey {
  const key = createPrivateKey(keyPem);
  const extensions = [
    extension('2.5.29.19', der.sequence(der.boolean(true)), true),
    // keyCertSign and cRLSign.
    extension('2.5.29.15', der.bits(Buffer.from([0x06]), 1), true),
    extension('2.5.29.14', der.octets(keyId(key))),
  ];
  const certificate = signed({
    subject: { commonName },
    issuer: { commonName },
    key,
    signer: key,
    days,
    extensions,
  });
  return { certificate, key: keyPem };
}

/** Creates a certificate that is signed by a certificate authority. */
export function createLeaf(
  ca: CertificateAndKey & { readonly commonName: string },
  options: LeafOptions,
): CertificateAndKey {
  const keyPem = newKey();
  const key = createPrivateKey(keyPem);
  const signer = createPrivateKey(ca.key);
  const extensions = [
    extension('2.5.29.19', der.sequence(), true),
    // digitalSignature.
    extension('2.5.29.15', der.bits(Buffer.from([0x80]), 7), true),
    extension(
      '2.5.29.37',
      der.sequence(der.oid(options.usage === 'server' ? '1.3.6.1.5.5.7.3.1' : '1.3.6.1.5.5.7.3.2')),
    ),
    extension('2.5.29.35', der.sequence(der.implicit(0, keyId(signer)))),
    ...(options.hosts === undefined
      ? []
      : [extension('2.5.29.17', der.sequence(...options.hosts.map(generalName)))]),
  ];
  const { subject, days } = options;
  return {
    certificate: signed({ subject, issuer: { commonName: ca.commonName }, key, signer, days, extensions }),
    key: keyPem,
  };
}

/** Creates a key and a request (PKCS #10) for a certificate of it, in place of the certificate. */
export function createRequest(subject: Subject, hosts: readonly string[] = []): CertificateAndKey {
  const keyPem = newKey();
  const key = createPrivateKey(keyPem);
  const names = extension('2.5.29.17', der.sequence(...hosts.map(generalName)));
  const wanted = der.sequence(der.oid('1.2.840.113549.1.9.14'), der.set(der.sequence(names)));
  const body = der.sequence(
    der.integer(Buffer.from([0])),
    distinguishedName(subject),
    publicKeyInfo(key),
    der.explicit(0, ...(hosts.length === 0 ? [] : [wanted])),
  );
  const signature = der.bits(sign('sha256', body, key));
  const certificate = pem('CERTIFICATE REQUEST', der.sequence(body, ECDSA_WITH_SHA256, signature));
  return { certificate, key: keyPem };
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
}

interface Contents {
  readonly subject: Subject;
  readonly issuer: Subject;
  readonly key: KeyObject;
  readonly signer: KeyObject;
  readonly days: number;
  readonly extensions: readonly Uint8Array[];
}

const ECDSA_WITH_SHA256 = der.sequence(der.oid('1.2.840.10045.4.3.2'));

function signed({ subject, issuer, key, signer, days, extensions }: Contents): string {
  const now = Date.now();
  const serial = randomBytes(16);
  serial[0]! = (serial[0]! & 0x7f) | 0x40;
  const body = der.sequence(
    der.explicit(0, der.integer(Buffer.from([2]))),
    der.integer(serial),
    ECDSA_WITH_SHA256,
    distinguishedName(issuer),
    der.sequence(der.time(new Date(now - SKEW_MS)), der.time(new Date(now + days * DAY_MS))),
    distinguishedName(subject),
    publicKeyInfo(key),
    der.explicit(3, der.sequence(...extensions)),
  );
  const signature = sign('sha256', body, signer);
  return certificatePem(der.sequence(body, ECDSA_WITH_SHA256, der.bits(signature)));
}

function distinguishedName({ commonName, organizations = [] }: Subject): Buffer {
  const part = (oid: string, text: string): Buffer => der.set(der.sequence(der.oid(oid), der.utf8(text)));
  return der.sequence(...organizations.map((name) => part('2.5.4.10', name)), part('2.5.4.3', commonName));
}

const publicKeyInfo = (key: KeyObject): Buffer =>
  createPublicKey(key).export({ type: 'spki', format: 'der' });
const keyId = (key: KeyObject): Buffer => createHash('sha1').update(publicKeyInfo(key)).digest();

/** An extension of a certificate, in DER. */
export function extension(oid: string, value: Uint8Array, critical = false): Buffer {
  return der.sequence(der.oid(oid), ...(critical ? [der.boolean(true)] : []), der.octets(value));
}

function generalName(host: string): Buffer {
  return isAddress(host) ? der.implicit(7, addressBytes(host)) : der.implicit(2, Buffer.from(host, 'latin1'));
}

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  // WHATWG URLs write every IPv6 address in its canonical, hexadecimal form.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string | undefined): number[] =>
    text ? text.split(':').map((group) => Number.parseInt(group, 16)) : [];
  const [left, right] = [groups(head), groups(tail)];
  const all =
    tail === undefined
      ? left
      : [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}

/** A certificate in PEM. */
export const certificatePem = (bytes: Buffer): string => pem('CERTIFICATE', bytes);

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g)!;
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
