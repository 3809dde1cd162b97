// A PKCS #10 request for a certificate: its subject's organizations, and whether its signature is its own.
// Only the parts of DER that such requests use are read.
import { createPublicKey, verify } from 'node:crypto';

interface Element {
  readonly tag: number;
  /** The whole element, and what is inside. */
  readonly whole: Buffer;
  readonly content: Buffer;
}

const SEQUENCE = 0x30;
const BIT_STRING = 0x03;
const ORGANIZATION = '2.5.4.10';

/** How the algorithms of signatures are named, and with what they hash. */
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

class DerError extends Error {}

function readElement(bytes: Buffer): Element {
  const first = bytes[1];
  if (bytes.length < 2 || first === undefined) throw new DerError('asn1: syntax error: data truncated');
  let [length, start] = [first, 2];
  if (first >= 0x80) {
    const count = first & 0x7f;
    if (count === 0 || count > 4 || bytes.length < 2 + count)
      throw new DerError('asn1: syntax error: data truncated');
    [length, start] = [bytes.readUIntBE(2, count), 2 + count];
  }
  if (start + length > bytes.length) throw new DerError('asn1: syntax error: data truncated');
  const whole = bytes.subarray(0, start + length);
  return { tag: bytes[0]!, whole, content: whole.subarray(start) };
}

function childrenOf({ content }: Element): Element[] {
  const children: Element[] = [];
  for (let rest = content; rest.length > 0; ) {
    const child = readElement(rest);
    children.push(child);
    rest = rest.subarray(child.whole.length);
  }
  return children;
}

function oidOf({ content }: Element): string {
  const parts: number[] = [Math.floor(content[0]! / 40), content[0]! % 40];
  let value = 0;
  for (const byte of content.subarray(1)) {
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      parts.push(value);
      value = 0;
    }
  }
  return parts.join('.');
}

interface Parsed {
  readonly info: Element;
  readonly subject: Element;
  readonly key: Element;
  readonly algorithm: string;
  readonly signature: Buffer;
}

function parse(der: Buffer): Parsed {
  const [info, algorithm, signature] = childrenOf(readElement(der));
  if (info?.tag !== SEQUENCE || algorithm?.tag !== SEQUENCE || signature?.tag !== BIT_STRING)
    throw new DerError('asn1: structure error: tags do not match');
  const [, subject, key] = childrenOf(info);
  const [oid] = childrenOf(algorithm);
  if (subject === undefined || key === undefined || oid === undefined)
    throw new DerError('asn1: structure error: tags do not match');
  return { info, subject, key, algorithm: oidOf(oid), signature: signature.content.subarray(1) };
}

const PEM = /-----BEGIN CERTIFICATE REQUEST-----([\s\S]*?)-----END CERTIFICATE REQUEST-----/;

function derOf(request: string): Buffer | undefined {
  const match = PEM.exec(Buffer.from(request, 'base64').toString('latin1'));
  return match === null ? undefined : Buffer.from(match[1]!, 'base64');
}

/** Why the request (base64 of PEM) is refused, or undefined. */
export function requestFault(request: string): string | undefined {
  const der = derOf(request);
  if (der === undefined) return 'PEM block type must be CERTIFICATE REQUEST';
  try {
    const { info, key, algorithm, signature } = parse(der);
    const hash = HASHES.get(algorithm);
    if (hash === undefined) return 'x509: cannot verify signature: algorithm unimplemented';
    const publicKey = createPublicKey({ key: key.whole, format: 'der', type: 'spki' });
    return verify(hash, info.whole, publicKey, signature) ? undefined : 'x509: invalid signature';
  } catch (error) {
    return error instanceof DerError ? error.message : 'x509: failed to parse public key';
  }
}

/** The organizations of the subject, which are the groups of a client certificate. */
export function organizationsOf(request: string): string[] {
  const der = derOf(request);
  if (der === undefined) return [];
  try {
    return childrenOf(parse(der).subject)
      .flatMap(childrenOf)
      .flatMap((attribute) => {
        const [type, value] = childrenOf(attribute);
        return type !== undefined && value !== undefined && oidOf(type) === ORGANIZATION
          ? [value.content.toString()]
          : [];
      });
  } catch {
    return [];
  }
}
