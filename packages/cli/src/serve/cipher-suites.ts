// --tls-min-version and --tls-cipher-suites: Go's names, which are those of the IANA, as OpenSSL's.
import { DEFAULT_CIPHERS } from 'node:tls';
import { InvalidArgumentError } from 'commander';

const VERSIONS: ReadonlyMap<string, 'TLSv1.2' | 'TLSv1.3'> = new Map([
  ['VersionTLS12', 'TLSv1.2'],
  ['VersionTLS13', 'TLSv1.3'],
]);

export function tlsVersion(name: string): 'TLSv1.2' | 'TLSv1.3' {
  const version = VERSIONS.get(name);
  if (version !== undefined) return version;
  if (name === 'VersionTLS10' || name === 'VersionTLS11')
    throw new InvalidArgumentError(`${name} is not safe, and not offered: use VersionTLS12 or VersionTLS13.`);
  throw new InvalidArgumentError(`unknown tls version ${JSON.stringify(name)}`);
}

/** Those of TLS 1.2; the keys are Go's names. */
const SUITES: ReadonlyMap<string, string> = new Map([
  ['TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256', 'ECDHE-ECDSA-AES128-GCM-SHA256'],
  ['TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384', 'ECDHE-ECDSA-AES256-GCM-SHA384'],
  ['TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305', 'ECDHE-ECDSA-CHACHA20-POLY1305'],
  ['TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256', 'ECDHE-ECDSA-CHACHA20-POLY1305'],
  ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
  ['TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
  ['TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305', 'ECDHE-RSA-CHACHA20-POLY1305'],
  ['TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256', 'ECDHE-RSA-CHACHA20-POLY1305'],
  ['TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA', 'ECDHE-ECDSA-AES128-SHA'],
  ['TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA', 'ECDHE-ECDSA-AES256-SHA'],
  ['TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256', 'ECDHE-ECDSA-AES128-SHA256'],
  ['TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA', 'ECDHE-RSA-AES128-SHA'],
  ['TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA', 'ECDHE-RSA-AES256-SHA'],
  ['TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256', 'ECDHE-RSA-AES128-SHA256'],
  ['TLS_RSA_WITH_AES_128_GCM_SHA256', 'AES128-GCM-SHA256'],
  ['TLS_RSA_WITH_AES_256_GCM_SHA384', 'AES256-GCM-SHA384'],
]);

/** Those that are not safe, or that OpenSSL no longer has. */
const UNSAFE = /^TLS_.*_WITH_(?:RC4_128_SHA|3DES_EDE_CBC_SHA|AES_(?:128|256)_CBC_SHA(?:256)?)$/;

/** As Go, the suites of TLS 1.3 are always offered. */
const isOfTls13 = (suite: string): boolean => suite.startsWith('TLS_');

/** In the form of OpenSSL. */
export function cipherSuites(text: string): string {
  const named = text.split(',').map((name) => {
    const trimmed = name.trim();
    const suite =
      isOfTls13(trimmed) && DEFAULT_CIPHERS.split(':').includes(trimmed) ? trimmed : SUITES.get(trimmed);
    if (suite !== undefined) return suite;
    throw new InvalidArgumentError(
      UNSAFE.test(trimmed)
        ? `Cipher suite ${trimmed} is not safe, and not offered`
        : `Cipher suite ${trimmed} not supported or doesn't exist`,
    );
  });
  const always = DEFAULT_CIPHERS.split(':').filter(isOfTls13);
  return [...new Set([...always, ...named])].join(':');
}
