// The certificate authority that signs requests: the one that files name, or the server's own.
import { checkPair, readCertificates, readPrivateKey, type ServingTls } from '@instar/serving';
import type { ResolvedOptions } from '../../api/options.ts';
import type { SigningSettings } from './signing-controller.ts';

type Options = Pick<ResolvedOptions, 'clusterSigning' | 'clusterSigningMs'>;

/** Rejects if the files cannot be used, so that a server with a wrong flag does not start. */
export async function openSigning(
  { clusterSigning, clusterSigningMs: maxTtlMs }: Options,
  tls: Pick<ServingTls, 'ownCa'>,
): Promise<SigningSettings> {
  if (clusterSigning === undefined) return { readCa: async () => tls.ownCa(), maxTtlMs };
  const { certFile, keyFile } = clusterSigning;
  const readCa = async () => {
    const [certificate, key] = await Promise.all([readCertificates(certFile), readPrivateKey(keyFile)]);
    checkPair(certificate, key);
    return { certificate, key };
  };
  await readCa();
  return { readCa, maxTtlMs };
}
