// What the listener shows and trusts: the certificate from files or of our own, and the CAs of clients. Looks
// again now and then, and says when something has changed.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { SecureContextOptions } from 'node:tls';
import type { Log } from '../log/log.ts';
import { ephemeralPki, type OwnPki, openPki } from './own-pki.ts';
import { PemFileError, readCertificates, readPrivateKey, validityProblem } from './pem-file.ts';

export interface TlsSources {
  readonly dataDir?: string | undefined;
  readonly hosts: readonly string[];
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  readonly clientCaFile?: string | undefined;
}

export interface ServingTls {
  /** What clients must trust: the own CA, or the certificate file when there is one. */
  readonly caCertificate: string;
  readonly context: SecureContextOptions;
  /** Calls back with each new context, until stopped. */
  watch(onChange: (context: SecureContextOptions) => void, log: Log): { stop(): void };
}

const FILES_EVERY_MS = 5_000;
const PKI_EVERY_MS = 6 * 3_600_000;

export async function openServingTls(
  sources: TlsSources,
  filesEveryMs = FILES_EVERY_MS,
): Promise<ServingTls> {
  const files = [sources.certFile, sources.keyFile, sources.clientCaFile].filter(
    (file) => file !== undefined,
  );
  const first = await readTls(sources);
  return {
    caCertificate: first.caCertificate,
    context: first.context,
    watch(onChange, log) {
      const renew = guarded(log, async () => onChange((await readTls(sources)).context));
      const timers = [
        ...(files.length > 0 ? [setInterval(whenChanged(files, renew), filesEveryMs)] : []),
        ...(sources.dataDir !== undefined ? [setInterval(() => void renew(), PKI_EVERY_MS)] : []),
      ];
      for (const timer of timers) timer.unref();
      return { stop: () => timers.forEach(clearInterval) };
    },
  };
}

async function readTls(
  sources: TlsSources,
): Promise<{ caCertificate: string; context: SecureContextOptions }> {
  const own =
    sources.dataDir === undefined
      ? ephemeralPki(sources.hosts)
      : await openPki(sources.dataDir, sources.hosts);
  const { cert, key } = await servingPair(sources, own);
  const clientCa = sources.clientCaFile === undefined ? [] : [await readCertificates(sources.clientCaFile)];
  const context = { cert, key, ca: [own.ca.certificate, ...clientCa] };
  checkPair(cert, key);
  return { caCertificate: sources.certFile === undefined ? own.ca.certificate : cert, context };
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

/** A file that is being written can be empty, which Node would take for "no certificate". */
export function checkPair(cert: string, key: string): void {
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
    throw new Error('the TLS private key does not belong to the certificate');
}

/**
 * Times rather than file events: certificates are often replaced by moving a link, which events miss. What
 * failed is tried again.
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

/** Whether it worked; why not is in the log. */
function guarded(log: Log, act: () => Promise<void>): () => Promise<boolean> {
  return async () => {
    try {
      await act();
      log.info({}, 'the TLS certificates were read again');
      return true;
    } catch (error) {
      log.error({ err: error }, 'the TLS certificates could not be read; the old ones stay');
      return false;
    }
  };
}
