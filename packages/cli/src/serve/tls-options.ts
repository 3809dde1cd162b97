// The flags that say with which versions, ciphers and certificates connections are encrypted.
import type { NamedCertificateFiles } from '@instar/serving';
import { InvalidArgumentError, Option } from 'commander';
import { cipherSuites, tlsVersion } from './cipher-suites.ts';

export function tlsOptions(): Option[] {
  return [
    new Option(
      '--tls-min-version <version>',
      'VersionTLS12 or VersionTLS13 (default: VersionTLS12)',
    ).argParser(tlsVersion),
    new Option(
      '--tls-cipher-suites <names>',
      "those of TLS 1.2 that are offered, by Go's names; those of TLS 1.3 always are",
    ).argParser(cipherSuites),
    new Option(
      '--tls-sni-cert-key <files>',
      'CERT,KEY or CERT,KEY:NAME,…: for clients that ask for these names, or for those of the certificate; may be repeated',
    ).argParser(namedPair),
  ];
}

function namedPair(text: string, before: readonly NamedCertificateFiles[] = []): NamedCertificateFiles[] {
  const colon = text.indexOf(':');
  const [files, names] = colon < 0 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)];
  const [certFile, keyFile, more] = files.split(',').map((file) => file.trim());
  if (!certFile || !keyFile || more !== undefined)
    throw new InvalidArgumentError('expected comma separated certificate and key file paths');
  const patterns = names.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
  return [...before, { certFile, keyFile, names: patterns }];
}
