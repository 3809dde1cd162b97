// Files with certificates and keys, read and looked at: Node takes a file without any for "none", and says of
// others only what OpenSSL thinks.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';

export class PemFileError extends Error {
  override readonly name = 'PemFileError';
  readonly path: string;

  constructor(path: string, problem: string) {
    super(`${path} ${problem}`);
    this.path = path;
  }
}

/** One or more certificates; whatever else is in the file is passed over, as OpenSSL does. */
export async function readCertificates(file: string): Promise<string> {
  const text = await readNamed(file);
  try {
    new X509Certificate(text);
  } catch {
    throw new PemFileError(file, 'contains no certificate');
  }
  return text;
}

export async function readPrivateKey(file: string): Promise<string> {
  const text = await readNamed(file);
  try {
    createPrivateKey(text);
  } catch (error) {
    const isEncrypted = (error as NodeJS.ErrnoException).code === 'ERR_MISSING_PASSPHRASE';
    throw new PemFileError(
      file,
      isEncrypted
        ? 'holds a private key with a passphrase, which nobody can enter here'
        : 'holds no private key',
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

/** The system does not always say which file it is about. */
export async function readNamed(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw Object.assign(error as Error, { path: file });
  }
}
