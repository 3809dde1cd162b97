// Certificates from files that somebody else renews (cert-manager, a Secret mounted as a volume). Read again when they change.
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { checkPair, type Log, whenChanged } from '@instar/serving';
import type { FilesTls } from '../options.ts';
import type { ServingCertificate, TlsSource } from './tls-source.ts';

const LOOK_EVERY_MS = 5_000;

export async function openFilesTls(files: FilesTls, log: Log, lookEveryMs = LOOK_EVERY_MS): Promise<TlsSource> {
  let current = await readFiles(files);
  let timer: NodeJS.Timeout | undefined;
  return {
    get current() {
      return current;
    },
    start(onChange) {
      const renew = async (): Promise<boolean> => {
        try {
          current = await readFiles(files);
        } catch (error) {
          log.error({ err: error }, 'the TLS certificates could not be read; the old ones stay');
          return false;
        }
        onChange(current);
        log.info({ expires: new Date(current.expires.serving).toISOString() }, 'the TLS certificates were read again');
        return true;
      };
      timer = setInterval(whenChanged([files.certFile, files.keyFile], renew), lookEveryMs).unref();
    },
    notReady: () => (current.expires.serving < Date.now() ? 'the serving certificate has expired' : undefined),
    stop: () => clearInterval(timer),
  };
}

async function readFiles({ certFile, keyFile }: FilesTls): Promise<ServingCertificate> {
  const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')]);
  checkPair(cert, key);
  return { context: { cert, key }, caBundle: cert, expires: { serving: Date.parse(new X509Certificate(cert).validTo) } };
}
