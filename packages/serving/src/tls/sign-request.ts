// Signs a request for a client certificate with a certificate authority, as kube-controller-manager's signer
// does: the subject and the alternative names are those of the request, everything else is the signer's.
import { createPrivateKey, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto';
import { type CertificateAndKey, certificatePem, extension } from './certificate.ts';
import type { CertificateRequest } from './certificate-request.ts';
import { der } from './der.ts';
import { childrenOf, oidOf, readElement } from './der-reader.ts';

export interface SigningTerms {
  /** Of digital signature and key encipherment, those that the certificate is for, beside client auth. */
  readonly usages: readonly string[];
  readonly ttlMs: number;
  readonly now: number;
}

const BACKDATE_MS = 5 * 60_000;
/** Certificates for less than this are not dated back at their end too. */
const SHORT_MS = 8 * 3_600_000;

/** The order in which Go writes the attributes of a subject; it drops all others. */
const SUBJECT_ORDER = [
  '2.5.4.6',
  '2.5.4.10',
  '2.5.4.11',
  '2.5.4.7',
  '2.5.4.8',
  '2.5.4.9',
  '2.5.4.17',
  '2.5.4.3',
  '2.5.4.5',
];
/** Of these a subject has one. */
const SINGLE: ReadonlySet<string> = new Set(['2.5.4.3', '2.5.4.5']);
/** E-mail addresses, DNS names, URIs and IP addresses. */
const NAME_TAGS: ReadonlySet<number> = new Set([0x81, 0x82, 0x86, 0x87]);
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';

/** The certificate in PEM. Throws if the certificate authority has expired. */
export function signRequest(ca: CertificateAndKey, request: CertificateRequest, terms: SigningTerms): string {
  const issuer = new X509Certificate(ca.certificate);
  const key = createPrivateKey(ca.key);
  const algorithm = algorithmOf(key);
  const { subject, subjectKeyId } = partsOfIssuer(issuer);
  const serial = randomBytes(16);
  serial[0]! = (serial[0]! & 0x7f) | 0x40;
  const body = der.sequence(
    der.explicit(0, der.integer(Buffer.from([2]))),
    der.integer(serial),
    algorithm.identifier,
    subject,
    validity(terms, Date.parse(issuer.validTo)),
    subjectOf(request),
    request.publicKey,
    der.explicit(3, der.sequence(...extensionsOf(request, terms, subjectKeyId))),
  );
  return certificatePem(der.sequence(body, algorithm.identifier, der.bits(sign(algorithm.hash, body, key))));
}

function validity({ ttlMs, now }: SigningTerms, signerEnds: number): Buffer {
  if (now >= signerEnds)
    throw new Error(
      `refusing to sign a certificate that expired in the past: NotAfter=${new Date(signerEnds).toISOString()}`,
    );
  const end = now + (ttlMs < SHORT_MS ? ttlMs : ttlMs - BACKDATE_MS);
  return der.sequence(der.time(new Date(now - BACKDATE_MS)), der.time(new Date(Math.min(end, signerEnds))));
}

function subjectOf({ subject }: CertificateRequest): Buffer {
  return der.sequence(
    ...SUBJECT_ORDER.flatMap((oid) => {
      const texts = subject.filter((attribute) => attribute.oid === oid).map(({ text }) => text);
      const kept = SINGLE.has(oid) ? texts.slice(-1).filter((text) => text !== '') : texts;
      if (kept.length === 0) return [];
      const attributes = kept.map((text) => der.sequence(der.oid(oid), der.utf8(text)));
      return [der.set(...attributes.sort(Buffer.compare))];
    }),
  );
}

function extensionsOf(
  request: CertificateRequest,
  { usages }: SigningTerms,
  signerKeyId: Buffer | undefined,
): Buffer[] {
  const bits =
    (usages.includes('digital signature') ? 0x80 : 0) | (usages.includes('key encipherment') ? 0x20 : 0);
  const names = request.alternativeNames.filter((name) => NAME_TAGS.has(name[0]!));
  const hasSubject = request.subject.length > 0;
  return [
    ...(bits === 0
      ? []
      : [extension('2.5.29.15', der.bits(Buffer.from([bits]), (bits & 0x20) === 0 ? 7 : 5), true)]),
    extension('2.5.29.37', der.sequence(der.oid(CLIENT_AUTH))),
    extension('2.5.29.19', der.sequence(), true),
    ...(signerKeyId === undefined
      ? []
      : [extension('2.5.29.35', der.sequence(der.implicit(0, signerKeyId)))]),
    ...(names.length === 0 ? [] : [extension('2.5.29.17', der.sequence(...names), !hasSubject)]),
  ];
}

/** The name of the authority as it is encoded in its certificate, and the id of its key. */
function partsOfIssuer({ raw }: X509Certificate): { subject: Buffer; subjectKeyId: Buffer | undefined } {
  const [tbs] = childrenOf(readElement(raw));
  // [0] version, serial number, algorithm, issuer, validity, subject, key, …, [3] extensions.
  const fields = childrenOf(tbs!);
  const offset = fields[0]!.tag === 0xa0 ? 1 : 0;
  const extensions = fields.find(({ tag }) => tag === 0xa3);
  const list = extensions === undefined ? [] : childrenOf(childrenOf(extensions)[0]!);
  const keyId = list.map(childrenOf).find(([type]) => oidOf(type!) === '2.5.29.14');
  return {
    subject: fields[offset + 4]!.whole,
    subjectKeyId: keyId === undefined ? undefined : readElement(keyId.at(-1)!.content).content,
  };
}

interface SignatureAlgorithm {
  readonly identifier: Buffer;
  readonly hash: string | null;
}

const EC_ALGORITHMS: ReadonlyMap<string, readonly [oid: string, hash: string]> = new Map([
  ['prime256v1', ['1.2.840.10045.4.3.2', 'sha256']],
  ['secp384r1', ['1.2.840.10045.4.3.3', 'sha384']],
  ['secp521r1', ['1.2.840.10045.4.3.4', 'sha512']],
]);

function algorithmOf(key: KeyObject): SignatureAlgorithm {
  switch (key.asymmetricKeyType) {
    case 'rsa':
      return { identifier: der.sequence(der.oid('1.2.840.113549.1.1.11'), der.null()), hash: 'sha256' };
    case 'ed25519':
      return { identifier: der.sequence(der.oid('1.3.101.112')), hash: null };
    case 'ec': {
      const known = EC_ALGORITHMS.get(key.asymmetricKeyDetails?.namedCurve ?? '');
      if (known !== undefined) return { identifier: der.sequence(der.oid(known[0])), hash: known[1] };
    }
  }
  throw new Error('the key of the certificate authority is neither RSA nor ECDSA nor Ed25519');
}
