import { createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createCa, createRequest } from './certificate.ts';
import { parseCertificateRequest } from './certificate-request.ts';
import { der } from './der.ts';
import { readElement, stringOf } from './der-reader.ts';
import { signRequest } from './sign-request.ts';

const ca = createCa('signer', 30);
const MINUTE_MS = 60_000;
const now = Date.parse(new Date().toISOString().replace(/\.\d+/, ''));

function sign(ttlMs = 3_600_000, subject = { commonName: 'jane', organizations: ['dev', 'ops'] }) {
  const request = parseCertificateRequest(createRequest(subject, ['a.example.com', '10.0.0.1']).certificate);
  const usages = ['client auth', 'digital signature', 'key encipherment'];
  return new X509Certificate(signRequest(ca, request, { usages, ttlMs, now }));
}

describe('a signed request', () => {
  it('has the subject and the names of the request, and is signed by the authority', () => {
    const certificate = sign();
    expect(certificate.subject.split(/\n| \+ /).sort()).toEqual(['CN=jane', 'O=dev', 'O=ops']);
    expect(certificate.subjectAltName).toBe('DNS:a.example.com, IP Address:10.0.0.1');
    expect(certificate.verify(new X509Certificate(ca.certificate).publicKey)).toBe(true);
    expect(certificate.checkIssued(new X509Certificate(ca.certificate))).toBe(true);
  });

  it('is for clients, and not an authority', () => {
    const certificate = sign();
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
    expect(certificate.ca).toBe(false);
  });

  it('begins 5 minutes earlier, and ends on time if it is short', () => {
    const { validFrom, validTo } = sign();
    expect([Date.parse(validFrom) - now, Date.parse(validTo) - now]).toEqual([
      -5 * MINUTE_MS,
      60 * MINUTE_MS,
    ]);
  });

  it('ends 5 minutes earlier too if it is long', () => {
    expect(Date.parse(sign(24 * 60 * MINUTE_MS).validTo) - now).toBe((24 * 60 - 5) * MINUTE_MS);
  });

  it('ends with the authority at the latest', () => {
    expect(sign(1000 * 86_400_000).validTo).toBe(new X509Certificate(ca.certificate).validTo);
  });

  it.each(['rsa', 'ed25519', 'P-384'])('is verified by an authority with a key of %s', (type) => {
    const { privateKey } =
      type === 'rsa'
        ? generateKeyPairSync('rsa', { modulusLength: 2048 })
        : type === 'ed25519'
          ? generateKeyPairSync('ed25519')
          : generateKeyPairSync('ec', { namedCurve: type });
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    const request = parseCertificateRequest(createRequest({ commonName: 'jane' }).certificate);
    const pem = signRequest({ ...ca, key }, request, { usages: [], ttlMs: MINUTE_MS, now });
    expect(new X509Certificate(pem).verify(createPublicKey(key))).toBe(true);
  });
});

it('refuses to sign with an authority that has expired', () => {
  const request = parseCertificateRequest(createRequest({ commonName: 'jane' }).certificate);
  const terms = { usages: [], ttlMs: MINUTE_MS, now: now + 31 * 86_400_000 };
  expect(() => signRequest(ca, request, terms)).toThrow('expired in the past');
});

it('sees that a request is signed with another key', () => {
  const [one, other] = [createRequest({ commonName: 'a' }), createRequest({ commonName: 'b' })];
  const bytes = (pem: string) => Buffer.from(pem.replace(/-----.*-----/g, ''), 'base64');
  const [head, tail] = [bytes(one.certificate), bytes(other.certificate)];
  // Same lengths up to the signature: the key of one, the rest of the other.
  head.set(tail.subarray(tail.length - 40), head.length - 40);
  const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${head.toString('base64')}\n-----END CERTIFICATE REQUEST-----`;
  expect(parseCertificateRequest(pem).signatureFault()).toBe('x509: invalid signature');
});

it('reads names in every encoding that certificates use', () => {
  const bmp = Buffer.from('system:masters', 'utf16le').swap16();
  expect(stringOf({ tag: 0x1e, whole: bmp, content: bmp })).toBe('system:masters');
  expect(stringOf(readElement(der.utf8('ü')))).toBe('ü');
});
