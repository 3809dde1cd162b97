// Whether a CA bundle contains at least one certificate. Checks only the outer structure of a certificate:
// keys and signatures are up to TLS.
import { decodeBase64 } from '@instar/go';

/** Upstream's error for a bundle in base64; undefined if it is valid or empty. */
export function caBundleFault(caBundle: string | undefined): string | undefined {
  if (caBundle === undefined || caBundle === '') return undefined;
  const fault = pemFault(decoded(caBundle) ?? '');
  return fault === undefined ? undefined : `unable to load root certificates: ${fault}`;
}

/** One readable certificate is enough, anywhere. */
function pemFault(text: string): string | undefined {
  const blocks = pemBlocks(text);
  const certificates = blocks.found.filter(({ type, plain }) => type === 'CERTIFICATE' && plain);
  if (certificates.some(({ der }) => certificateFault(der) === undefined)) return undefined;
  if (certificates.length > 0)
    return `failed to parse certificate: ${certificateFault(certificates[0]!.der)}`;
  return blocks.rest === ''
    ? 'no valid certificate authority data seen'
    : 'unable to parse bytes as PEM block';
}

interface PemBlock {
  readonly type: string;
  /** Without headers. */
  readonly plain: boolean;
  readonly der: string;
}

/** `rest`: what follows the last block. */
function pemBlocks(text: string): { found: PemBlock[]; rest: string } {
  const found: PemBlock[] = [];
  let rest = text;
  for (let start = rest.indexOf('-----BEGIN '); start >= 0; start = rest.indexOf('-----BEGIN ')) {
    const line = rest.slice(start).split('\n', 1)[0]!.trimEnd();
    const type = line.slice('-----BEGIN '.length, -'-----'.length);
    const end = rest.indexOf(`-----END ${type}-----`, start);
    if (!line.endsWith('-----') || end < 0) return { found, rest };
    const body = rest.slice(start + line.length, end);
    // Go passes over spaces and tabs here as well as line breaks.
    const der = decoded(body.slice(body.lastIndexOf(':') + 1).replace(/[ \t]/g, ''));
    if (der !== undefined) found.push({ type, plain: !body.includes(':'), der });
    rest = rest.slice(end + `-----END ${type}-----`.length).replace(/^[ \t\r]*\n?/, '');
  }
  return { found, rest };
}

/** Bytes as characters; undefined for what Go does not decode. */
function decoded(text: string): string | undefined {
  const bytes = decodeBase64(text);
  if (typeof bytes === 'string') return undefined;
  let characters = '';
  for (const byte of bytes) characters += String.fromCharCode(byte);
  return characters;
}

const SEQUENCE = 0x30;
const BIT_STRING = 0x03;
const INTEGER = 0x02;
const VERSION = 0xa0;

/**
 * Certificate ::= SEQUENCE { tbsCertificate, signatureAlgorithm, signature }, and the parts of the first of
 * them.
 */
function certificateFault(der: string): string | undefined {
  const [certificate, ...trailing] = elementsOf(der) ?? [];
  if (certificate?.tag !== SEQUENCE) return 'x509: malformed certificate';
  if (trailing.length > 0) return 'x509: trailing data';
  const parts = elementsOf(certificate.content);
  if (parts?.[0]?.tag !== SEQUENCE) return 'x509: malformed tbs certificate';
  const fields = elementsOf(parts[0].content) ?? [];
  const numbered = fields[0]?.tag === VERSION ? fields.slice(1) : fields;
  if (numbered[0]?.tag !== INTEGER) return 'x509: malformed serial number';
  if (numbered.slice(1, 6).filter(({ tag }) => tag === SEQUENCE).length < 5)
    return 'x509: malformed tbs certificate';
  if (parts[1]?.tag !== SEQUENCE) return 'x509: malformed algorithm identifier';
  return parts[2]?.tag === BIT_STRING ? undefined : 'x509: malformed signature';
}

interface Element {
  readonly tag: number;
  readonly content: string;
}

/** DER elements one after another; undefined if a length does not fit. */
function elementsOf(der: string): Element[] | undefined {
  const elements: Element[] = [];
  for (let at = 0; at < der.length; ) {
    const first = der.charCodeAt(at + 1);
    const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
    if (Number.isNaN(first) || lengthBytes > 4) return undefined;
    let length = lengthBytes === 0 ? first : 0;
    for (let i = 0; i < lengthBytes; i++) length = length * 256 + der.charCodeAt(at + 2 + i);
    const start = at + 2 + lengthBytes;
    if (!(start + length <= der.length)) return undefined;
    elements.push({ tag: der.charCodeAt(at), content: der.slice(start, start + length) });
    at = start + length;
  }
  return elements;
}
