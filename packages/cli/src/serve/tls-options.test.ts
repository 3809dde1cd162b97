import { expect, it } from 'vitest';
import { cipherSuites, tlsVersion } from './cipher-suites.ts';
import { tlsOptions } from './tls-options.ts';

it('names the ciphers as OpenSSL does, and keeps those of TLS 1.3', () => {
  const suites = cipherSuites('TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,TLS_AES_256_GCM_SHA384').split(':');
  expect(suites).toEqual(expect.arrayContaining(['TLS_AES_128_GCM_SHA256', 'ECDHE-RSA-AES128-GCM-SHA256']));
  expect(suites.filter((suite) => !suite.startsWith('TLS_'))).toEqual(['ECDHE-RSA-AES128-GCM-SHA256']);
});

it.each([
  ['TLS_NONE', "Cipher suite TLS_NONE not supported or doesn't exist"],
  ['ECDHE-RSA-AES128-GCM-SHA256', "not supported or doesn't exist"],
  ['TLS_RSA_WITH_RC4_128_SHA', 'is not safe, and not offered'],
  ['', "not supported or doesn't exist"],
])('refuses the cipher %j', (text, message) => {
  expect(() => cipherSuites(text)).toThrow(message);
});

it('knows the versions by the names of Go', () => {
  expect(tlsVersion('VersionTLS13')).toBe('TLSv1.3');
  expect(() => tlsVersion('VersionTLS11')).toThrow('is not safe, and not offered');
  expect(() => tlsVersion('TLSv1.3')).toThrow('unknown tls version "TLSv1.3"');
});

it('reads pairs of files with and without names', () => {
  const parse = tlsOptions().find(({ long }) => long === '--tls-sni-cert-key')!.parseArg!;
  expect(parse('b.crt,b.key:*.b.io,b.io', parse('a.crt,a.key', undefined))).toEqual([
    { certFile: 'a.crt', keyFile: 'a.key', names: [] },
    { certFile: 'b.crt', keyFile: 'b.key', names: ['*.b.io', 'b.io'] },
  ]);
  expect(() => parse('a.crt', undefined)).toThrow('expected comma separated certificate and key file paths');
});
