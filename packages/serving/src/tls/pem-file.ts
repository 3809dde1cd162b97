// Reads and checks files with certificates and keys: Node treats a file without any as "none", and reports
// others only with OpenSSL's messages.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** A file that has not what it must have. */
export class PemFileError extends Error {
  override readonly name = 'PemFileError';
  readonly path: string;

  constructor(path: string, problem: string) {
    super(`${path} ${problem}`);
    this.path = path;
  }
}

/** One or more certificates; anything else in the file is ignored, as OpenSSL does. */
export async function readCertificates(file: string): Promise<string> {
  const text = await readNamed(file);
  try {
    new X509Certificate(text);
  } catch {
    throw new PemFileError(file, 'contains no certificate');
  }
  return text;
}

/** Reads a private key and checks that it is one. */
export async function readPrivateKey(file: string): Promise<string> {
  const text = await readNamed(file);
  try {
    createPrivateKey(text);
  } catch (error) {
    const isEncrypted = (error as NodeJS.ErrnoException).code === 'ERR_MISSING_PASSPHRASE';
    throw new PemFileError(
      file,
      isEncrypted
        ? 'contains a private key with a passphrase, which cannot be entered here'
        : 'contains no private key',
    );
  }
  return text;
}

/** Why a certificate cannot be used now; undefined if it can. `remedy` is for when the clock is right. */
export function validityProblem(pem: string, remedy: string, now = Date.now()): string | undefined {
  const { validFrom, validTo } = new X509Certificate(pem);
  const [from, until] = [Date.parse(validFrom), Date.parse(validTo)];
  if (from <= now && now < until) return undefined;
  const validity = now < from ? `is not valid before ${isoTime(from)}` : `expired at ${isoTime(until)}`;
  return `${validity}, and the clock of this machine says ${isoTime(now)}: set the clock or ${remedy}`;
}

const isoTime = (time: number): string => new Date(time).toISOString().replace('.000', '');

/** Adds the path to the error: the system's message does not always name the file. */
export async function readNamed(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw Object.assign(error as Error, { path: file });
  }
}
