// Certificates for names that clients ask for (SNI), beside the one that is served to all others.
import { X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import { PemFileError, readCertificates, readPrivateKey } from './pem-file.ts';

/** A pair of files; without names, those of the certificate. */
export interface NamedCertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
  /** May begin with `*.`. */
  readonly names: readonly string[];
}

export class NamedCertificates {
  readonly #exact = new Map<string, SecureContext>();
  readonly #wildcards = new Map<string, SecureContext>();

  /** Names that are given count before those of certificates; of equal ones the first counts. */
  static async read(
    all: readonly NamedCertificateFiles[],
    common: SecureContextOptions,
  ): Promise<NamedCertificates> {
    const named = new NamedCertificates();
    const pairs = await Promise.all(all.map((files) => readPair(files, common)));
    for (const { names, context } of pairs) named.#add(names, context);
    for (const { ownNames, context } of pairs) named.#add(ownNames, context);
    return named;
  }

  /** Undefined: the usual certificate. A whole name counts before a pattern. */
  find(name: string): SecureContext | undefined {
    const wanted = name.toLowerCase();
    return this.#exact.get(wanted) ?? this.#wildcards.get(wanted.slice(wanted.indexOf('.') + 1));
  }

  #add(names: readonly string[], context: SecureContext): void {
    for (const name of names.map((one) => one.toLowerCase())) {
      const [map, key] = name.startsWith('*.') ? [this.#wildcards, name.slice(2)] : [this.#exact, name];
      if (!map.has(key)) map.set(key, context);
    }
  }
}

async function readPair({ certFile, keyFile, names }: NamedCertificateFiles, common: SecureContextOptions) {
  const [cert, key] = await Promise.all([readCertificates(certFile), readPrivateKey(keyFile)]);
  const ownNames = names.length > 0 ? [] : namesOf(cert);
  if (names.length === 0 && ownNames.length === 0)
    throw new PemFileError(certFile, 'is for no name: give names after a colon');
  try {
    return { names, ownNames, context: createSecureContext({ ...common, cert, key }) };
  } catch {
    throw new PemFileError(keyFile, `is not the key of ${certFile}`);
  }
}

function namesOf(pem: string): string[] {
  const { subject, subjectAltName = '' } = new X509Certificate(pem);
  const names = [...subjectAltName.matchAll(/(?:^|, )DNS:([^,]+)/g)].map(([, name]) => name!);
  const commonName = /^CN=(.+)$/m.exec(subject)?.[1];
  return names.length > 0 || commonName === undefined || !/^[\w*.-]+$/.test(commonName)
    ? names
    : [commonName];
}
