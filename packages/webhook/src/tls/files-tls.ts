// Certificates from files that are renewed externally (by cert-manager, or a Secret mounted as a volume).
// Reloaded when they change.
import { X509Certificate } from 'node:crypto';
import { checkPair, type Log, readCertificates, readPrivateKey } from '@instar/serving';
import type { FilesTls } from '../options.ts';
import { reloaded } from './reloaded.ts';
import type { ServingCertificate, TlsSource } from './tls-source.ts';

export async function openFilesTls(files: FilesTls, log: Log, pollMs?: number): Promise<TlsSource> {
  const pair = await reloaded([files.certFile, files.keyFile], () => readFiles(files), log, {
    what: 'the TLS certificates',
    ...(pollMs !== undefined && { pollMs }),
  });
  return {
    get current() {
      return pair.current;
    },
    start: (onChange) => pair.start(onChange),
    notReady: () =>
      pair.current.expires.serving < Date.now() ? 'the serving certificate has expired' : undefined,
    stop: () => pair.stop(),
  };
}

async function readFiles({ certFile, keyFile }: FilesTls): Promise<ServingCertificate> {
  const [cert, key] = [await readCertificates(certFile), await readPrivateKey(keyFile)] as const;
  checkPair(cert, key);
  return {
    context: { cert, key },
    caBundle: cert,
    expires: { serving: Date.parse(new X509Certificate(cert).validTo) },
  };
}
