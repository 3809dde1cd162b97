// The server's own CA and serving certificate. With a data directory they are stored there and renewed before
// they expire; without one they live as long as the process and are shared by its servers.
import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { type CertificateAndKey, createCa, createLeaf } from './certificate.ts';
import { isAddress } from './hosts.ts';
import { makeDirectory } from './make-directory.ts';
import { PemFileError, readCertificates, readPrivateKey, validityProblem } from './pem-file.ts';
import { writePrivateFile } from './private-file.ts';

export interface OwnPki {
  readonly ca: CertificateAndKey;
  readonly serving: CertificateAndKey;
}

const CA_NAME = 'instar-ca';
const CA_DAYS = 3650;
const SERVING_DAYS = 365;
const DAY_MS = 86_400_000;
/** Certificates are renewed when less than this is left. */
const RENEW_CA_MS = 365 * DAY_MS;
const RENEW_SERVING_MS = 60 * DAY_MS;

export async function openPki(dataDir: string, hosts: readonly string[]): Promise<OwnPki> {
  const directory = join(dataDir, 'pki');
  await makeDirectory(directory);
  const ca = await storedCa(directory);
  return { ca, serving: await storedServing(directory, ca, hosts) };
}

const shared = new Map<string, OwnPki>();

/** For servers without a data directory. */
export function ephemeralPki(hosts: readonly string[]): OwnPki {
  const key = hosts.join();
  let pki = shared.get(key);
  if (pki === undefined) {
    const ca = shared.values().next().value?.ca ?? createCa(CA_NAME, CA_DAYS);
    pki = { ca, serving: issueServing(ca, hosts) };
    shared.set(key, pki);
  }
  return pki;
}

async function storedCa(directory: string): Promise<CertificateAndKey> {
  const { certificate, key } = await readPair(directory, 'ca');
  if (certificate !== undefined && key !== undefined && remainingMs(certificate) > RENEW_CA_MS) {
    checkBegun(join(directory, 'ca.crt'), certificate);
    return { certificate, key };
  }
  // With the same key, so that certificates signed by the old one stay valid.
  const ca = createCa(CA_NAME, CA_DAYS, key);
  await writePair(directory, 'ca', ca);
  return ca;
}

/**
 * Made while the clock was ahead, or the clock is behind now. Only the operator knows which: clients trust
 * the certificate, so it is not replaced because of a wrong clock.
 */
function checkBegun(path: string, pem: string): void {
  const problem = validityProblem(pem, 'delete the file: it is made again with the same key');
  if (problem !== undefined) throw new PemFileError(path, problem);
}

async function storedServing(
  directory: string,
  ca: CertificateAndKey,
  hosts: readonly string[],
): Promise<CertificateAndKey> {
  const { certificate, key } = await readPair(directory, 'serving');
  if (certificate !== undefined && key !== undefined && isGood(certificate, ca, hosts))
    return { certificate, key };
  const serving = issueServing(ca, hosts);
  await writePair(directory, 'serving', serving);
  return serving;
}

function issueServing(ca: CertificateAndKey, hosts: readonly string[]): CertificateAndKey {
  return createLeaf(
    { ...ca, commonName: CA_NAME },
    { subject: { commonName: 'instar' }, usage: 'server', hosts, days: SERVING_DAYS },
  );
}

function isGood(pem: string, ca: CertificateAndKey, hosts: readonly string[]): boolean {
  const certificate = new X509Certificate(pem);
  return (
    remainingMs(pem) > RENEW_SERVING_MS &&
    Date.parse(certificate.validFrom) <= Date.now() &&
    certificate.verify(new X509Certificate(ca.certificate).publicKey) &&
    coversHosts(certificate, hosts)
  );
}

/** Whether the certificate is for all of these names and addresses. */
export function coversHosts(certificate: X509Certificate, hosts: readonly string[]): boolean {
  // checkIP throws for names.
  return hosts.every(
    (host) => (isAddress(host) ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined,
  );
}

const remainingMs = (pem: string): number => Date.parse(new X509Certificate(pem).validTo) - Date.now();

/**
 * What exists of a pair. A file that cannot be read or parsed is an error that names it, never silently
 * replaced.
 */
async function readPair(directory: string, name: string): Promise<Partial<CertificateAndKey>> {
  const [certificate, key] = await Promise.all([
    readCertificates(join(directory, `${name}.crt`)).catch(undefinedIfMissing),
    readPrivateKey(join(directory, `${name}.key`)).catch(undefinedIfMissing),
  ]);
  return { ...(certificate !== undefined && { certificate }), ...(key !== undefined && { key }) };
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

async function writePair(
  directory: string,
  name: string,
  { certificate, key }: CertificateAndKey,
): Promise<void> {
  await writePrivateFile(join(directory, `${name}.key`), key);
  await writePrivateFile(join(directory, `${name}.crt`), certificate, 0o644);
}
