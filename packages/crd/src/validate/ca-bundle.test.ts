import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { caBundleFault } from './ca-bundle.ts';

const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBcDCCARegAwIBAgIUKO/gljBytHqDpp7US3SYKWo9gWQwCgYIKoZIzj0EAwIw
DTELMAkGA1UEAwwCY2EwIBcNMjYxMTE2MDAyODQzWhgPMjEyNjEwMjMwMDI4NDNa
MA0xCzAJBgNVBAMMAmNhMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEMYTWXihS
yCSqcQr4cThS3oSmfJuI9Kguq9gEm/qO/7Ye3W78XigBKU8MrvAwL73h9md//MfA
y1MJGj3vR8y0xKNTMFEwHQYDVR0OBBYEFI6hFnMuPLOOGB9b4Hj2rtLXw6wjMB8G
A1UdIwQYMBaAFI6hFnMuPLOOGB9b4Hj2rtLXw6wjMA8GA1UdEwEB/wQFMAMBAf8w
CgYIKoZIzj0EAwIDRwAwRAIgTffRfeKfx4L7de22VPA3JHOL1saRN8htfgmEOequ
6i4CIFuRzSRx9LU3+rpQaQ+TGEG8noTtfHWOOEJ1cdmnWl3I
-----END CERTIFICATE-----
`;
const block = (type: string, body: string) => `-----BEGIN ${type}-----\n${body}\n-----END ${type}-----`;
const fault = (pem: string) => caBundleFault(Buffer.from(pem).toString('base64'));

describe('a CA bundle', () => {
  it('may be absent or empty', () => {
    expect(caBundleFault(undefined)).toBeUndefined();
    expect(caBundleFault('')).toBeUndefined();
  });

  it.each([
    ['a certificate', CERTIFICATE],
    ['a certificate with Windows line breaks', CERTIFICATE.replaceAll('\n', '\r\n')],
    ['text around a certificate', `issued by us\n${CERTIFICATE}the end`],
    ['a key before a certificate', `${block('EC PARAMETERS', 'BggqhkjOPQMBBw==')}\n${CERTIFICATE}`],
    ['a broken certificate beside a good one', `${block('CERTIFICATE', 'AAAA')}\n${CERTIFICATE}`],
  ])('may be %s', (_, pem) => {
    expect(fault(pem)).toBeUndefined();
  });

  it.each([
    ['no PEM', 'not a certificate', 'unable to parse bytes as PEM block'],
    ['a block that does not end', CERTIFICATE.slice(0, 200), 'unable to parse bytes as PEM block'],
    [
      'another kind of block',
      block('EC PARAMETERS', 'BggqhkjOPQMBBw=='),
      'no valid certificate authority data seen',
    ],
    [
      'a certificate that is none',
      block('CERTIFICATE', 'AAAA'),
      'failed to parse certificate: x509: malformed certificate',
    ],
  ])('may not be %s', (_, pem, text) => {
    expect(fault(pem)).toBe(`unable to load root certificates: ${text}`);
  });
});
