// The TLS context of the listener: the serving certificate, from files or from our own CA, and the CAs of
// clients. Checks periodically for changes.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { SecureContextOptions } from 'node:tls';
import type { Log } from '../log/log.ts';
import type { CertificateAndKey } from './certificate.ts';
import { ephemeralPki, type OwnPki, openPki } from './own-pki.ts';
import { PemFileError, readCertificates, readPrivateKey, validityProblem } from './pem-file.ts';

export interface TlsSources {
  readonly dataDir?: string | undefined;
  readonly hosts: readonly string[];
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  readonly clientCaFile?: string | undefined;
}

/** The certificates that a server uses now. */
export interface ServingTls {
  /** What clients must trust: our own CA, or the certificate file if there is one. */
  readonly caCertificate: string;
  readonly context: SecureContextOptions;
  /** Our own CA, which signs certificates of clients too. Read again when it was renewed. */
  readonly ownCa: () => CertificateAndKey;
  /** Calls back with each new context, until stopped. */
  watch(onChange: (context: SecureContextOptions) => void, log: Log): { stop(): void };
}

const POLL_FILES_MS = 5_000;
const RENEW_PKI_MS = 6 * 3_600_000;

/** Reads or creates the certificates of a server, and follows changes of their files. */
export async function openServingTls(sources: TlsSources, pollFilesMs = POLL_FILES_MS): Promise<ServingTls> {
  const files = [sources.certFile, sources.keyFile, sources.clientCaFile].filter(
    (file) => file !== undefined,
  );
  let latest = await readTls(sources);
  const { caCertificate, context } = latest;
  return {
    caCertificate,
    context,
    ownCa: () => latest.ownCa,
    watch(onChange, log) {
      const renew = guarded(log, async () => {
        latest = await readTls(sources);
        onChange(latest.context);
      });
      const timers = [
        ...(files.length > 0 ? [setInterval(whenChanged(files, renew), pollFilesMs)] : []),
        ...(sources.dataDir !== undefined ? [setInterval(() => void renew(), RENEW_PKI_MS)] : []),
      ];
      for (const timer of timers) timer.unref();
      return { stop: () => timers.forEach(clearInterval) };
    },
  };
}

interface ReadTls {
  readonly caCertificate: string;
  readonly context: SecureContextOptions;
  readonly ownCa: CertificateAndKey;
}

async function readTls(sources: TlsSources): Promise<ReadTls> {
  const own =
    sources.dataDir === undefined
      ? ephemeralPki(sources.hosts)
      : await openPki(sources.dataDir, sources.hosts);
  const { cert, key } = await servingPair(sources, own);
  const clientCa = sources.clientCaFile === undefined ? [] : [await readCertificates(sources.clientCaFile)];
  // A certificate in the file of client CAs is trusted even if it is no CA, as kube-apiserver does.
  const context = { cert, key, ca: [own.ca.certificate, ...clientCa], allowPartialTrustChain: true };
  checkPair(cert, key);
  const caCertificate = sources.certFile === undefined ? own.ca.certificate : cert;
  return { caCertificate, context, ownCa: own.ca };
}

async function servingPair(
  { certFile, keyFile }: TlsSources,
  own: OwnPki,
): Promise<{ cert: string; key: string }> {
  if (certFile === undefined || keyFile === undefined)
    return { cert: own.serving.certificate, key: own.serving.key };
  const cert = await readCertificates(certFile);
  const problem = validityProblem(cert, 'renew the certificate');
  if (problem !== undefined) throw new PemFileError(certFile, problem);
  return { cert, key: await readPrivateKey(keyFile) };
}

/** A file that is being written can be empty, which Node would treat as "no certificate". */
export function checkPair(cert: string, key: string): void {
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
    throw new Error('the TLS private key does not belong to the certificate');
}

/**
 * Compares modification times: certificates are often replaced by moving a symbolic link, which file events
 * miss. If `act` fails, it is retried.
 */
export function whenChanged(files: readonly string[], act: () => Promise<boolean>): () => void {
  let done = stampOf(files);
  return () => {
    done = done.then(async (before) => {
      const now = await stampOf(files);
      return now !== before && (await act()) ? now : before;
    });
  };
}

async function stampOf(files: readonly string[]): Promise<string> {
  const stamps = files.map((file) =>
    stat(file).then(
      ({ mtimeMs, ino }) => `${mtimeMs}/${ino}`,
      () => 'missing',
    ),
  );
  return (await Promise.all(stamps)).join();
}

/** Whether it succeeded; errors are logged. */
function guarded(log: Log, act: () => Promise<void>): () => Promise<boolean> {
  return async () => {
    try {
      await act();
      log.info({}, 'the TLS certificates were reloaded');
      return true;
    } catch (error) {
      log.error({ err: error }, 'the TLS certificates could not be reloaded; the old ones stay');
      return false;
    }
  };
}
