// The TLS context of the listener: the serving certificate, from files or from our own CA, and the CAs of
// clients. Checks periodically for changes.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { SecureContext, SecureContextOptions } from 'node:tls';
import type { Log } from '../log/log.ts';
import type { CertificateAndKey } from './certificate.ts';
import { type NamedCertificateFiles, NamedCertificates } from './named-certificates.ts';
import { ephemeralPki, type OwnPki, openPki } from './own-pki.ts';
import { PemFileError, readCertificates, readPrivateKey, validityProblem } from './pem-file.ts';

export interface TlsSources {
  readonly dataDir?: string | undefined;
  readonly hosts: readonly string[];
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  readonly clientCaFile?: string | undefined;
  /** The CA of proxies that authenticate users themselves. */
  readonly proxyCaFile?: string | undefined;
  /** Further certificates, for names that clients ask for. */
  readonly named?: readonly NamedCertificateFiles[];
  readonly minVersion?: 'TLSv1.2' | 'TLSv1.3' | undefined;
  /** In the form of OpenSSL. */
  readonly ciphers?: string | undefined;
}

/** The certificates that a server uses now. */
export interface ServingTls {
  /** What clients must trust: our own CA, or the certificate file if there is one. */
  readonly caCertificate: string;
  readonly context: SecureContextOptions;
  /** Our own CA, which signs certificates of clients too. Read again when it was renewed. */
  readonly ownCa: () => CertificateAndKey;
  /** What is trusted for clients, and for proxies, now; another list after each change. */
  readonly clientAuthorities: () => readonly X509Certificate[];
  readonly proxyAuthorities: () => readonly X509Certificate[];
  /** The context for a name that a client asks for; undefined: there are no such certificates. */
  readonly contextFor: ((name: string) => SecureContext | undefined) | undefined;
  /** Calls back with each new context, until stopped. */
  watch(onChange: (context: SecureContextOptions) => void, log: Log): { stop(): void };
}

const POLL_FILES_MS = 5_000;
const RENEW_PKI_MS = 6 * 3_600_000;

/** Reads or creates the certificates of a server, and follows changes of their files. */
export async function openServingTls(sources: TlsSources, pollFilesMs = POLL_FILES_MS): Promise<ServingTls> {
  const { certFile, keyFile, clientCaFile, proxyCaFile, named = [] } = sources;
  const files = [
    ...[certFile, keyFile, clientCaFile, proxyCaFile].filter((file) => file !== undefined),
    ...named.flatMap((pair) => [pair.certFile, pair.keyFile]),
  ];
  let latest = await readTls(sources);
  const { caCertificate, context } = latest;
  return {
    caCertificate,
    context,
    ownCa: () => latest.ownCa,
    clientAuthorities: () => latest.clientAuthorities,
    proxyAuthorities: () => latest.proxyAuthorities,
    contextFor: named.length === 0 ? undefined : (name) => latest.named.find(name),
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
  readonly clientAuthorities: readonly X509Certificate[];
  readonly proxyAuthorities: readonly X509Certificate[];
  readonly named: NamedCertificates;
}

async function readTls(sources: TlsSources): Promise<ReadTls> {
  const own =
    sources.dataDir === undefined
      ? ephemeralPki(sources.hosts)
      : await openPki(sources.dataDir, sources.hosts);
  const { cert, key } = await servingPair(sources, own);
  const clientCa = sources.clientCaFile === undefined ? [] : [await readCertificates(sources.clientCaFile)];
  const proxyCa = sources.proxyCaFile === undefined ? [] : [await readCertificates(sources.proxyCaFile)];
  const { minVersion, ciphers } = sources;
  // A certificate in the file of client CAs is trusted even if it is no CA, as kube-apiserver does.
  const common = {
    ca: [own.ca.certificate, ...clientCa, ...proxyCa],
    allowPartialTrustChain: true,
    ...(minVersion !== undefined && { minVersion }),
    ...(ciphers !== undefined && { ciphers }),
  };
  checkPair(cert, key);
  const caCertificate = sources.certFile === undefined ? own.ca.certificate : cert;
  return {
    caCertificate,
    context: { ...common, cert, key },
    ownCa: own.ca,
    clientAuthorities: [own.ca.certificate, ...clientCa].flatMap(certificatesIn),
    proxyAuthorities: proxyCa.flatMap(certificatesIn),
    named: await NamedCertificates.read(sources.named ?? [], common),
  };
}

const certificatesIn = (pem: string): X509Certificate[] =>
  (pem.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? []).map(
    (one) => new X509Certificate(one),
  );

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
