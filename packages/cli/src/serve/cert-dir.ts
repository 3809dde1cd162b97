// --cert-dir, as kube-apiserver reads it: apiserver.crt and apiserver.key in it are served; if neither is
// there, both are made.
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { createCa, createLeaf, makeDirectory, servingHosts, writePrivateFile } from '@instar/serving';
import type { ServeFlags } from './flags.ts';

type CertificateFlags = Pick<ServeFlags, 'bindAddress' | 'certDir' | 'tlsCertFile' | 'tlsPrivateKeyFile'>;

export interface ServingFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

const DAYS = 365;
const CA_NAME = 'instar-ca';

/** The files that --cert-dir names, unless --tls-cert-file or --tls-private-key-file replace them. */
export function certDirFiles(flags: Omit<CertificateFlags, 'bindAddress'>): ServingFiles | undefined {
  const { certDir, tlsCertFile, tlsPrivateKeyFile } = flags;
  if (certDir === undefined || tlsCertFile !== undefined || tlsPrivateKeyFile !== undefined) return undefined;
  return { certFile: join(certDir, 'apiserver.crt'), keyFile: join(certDir, 'apiserver.key') };
}

/** Makes a certificate if the directory has none. If one of the files is there, the other must be too. */
export async function ensureServingPair(flags: CertificateFlags): Promise<void> {
  const files = certDirFiles(flags);
  if (files === undefined || (await exists(files.certFile)) || (await exists(files.keyFile))) return;
  const ca = createCa(CA_NAME, DAYS);
  const leaf = createLeaf(
    { ...ca, commonName: CA_NAME },
    {
      subject: { commonName: 'instar' },
      usage: 'server',
      hosts: servingHosts(flags.bindAddress, false),
      days: DAYS,
    },
  );
  await makeDirectory(flags.certDir!);
  await writePrivateFile(files.keyFile, leaf.key);
  // With the CA, so that clients can trust this one file.
  await writePrivateFile(files.certFile, leaf.certificate + ca.certificate, 0o644);
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
