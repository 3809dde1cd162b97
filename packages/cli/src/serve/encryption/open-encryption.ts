// Reads the configuration of encryption, and reads it again when it changes.
import { type Log, readNamed, whenChanged } from '@instar/serving';
import type { Encryption, EncryptionConfig } from '@instar/store/encryption';
import { FlagError } from '../flag-error.ts';
import type { ServeFlags } from '../flags.ts';
import { parseEncryptionConfig } from './config-file.ts';

/** As upstream, which compares files once a minute. */
const RELOAD_MS = 60_000;

export interface EncryptionSettings {
  readonly file: string;
  readonly reloads: boolean;
}

export function encryptionSettingsOf(flags: ServeFlags): EncryptionSettings | undefined {
  const { encryptionProviderConfig: file, encryptionProviderConfigAutomaticReload: reloads = false } = flags;
  if (file === undefined && reloads)
    throw new FlagError(
      '--encryption-provider-config-automatic-reload must be set with --encryption-provider-config',
    );
  return file === undefined ? undefined : { file, reloads };
}

/** Undefined: nothing is encrypted. */
export async function openEncryption(
  settings: EncryptionSettings | undefined,
  log: Log,
): Promise<Encryption | undefined> {
  if (settings === undefined) return undefined;
  const { file, reloads } = settings;
  const { Encryption } = await import('@instar/store/encryption');
  const encryption = await Encryption.open(await readConfig(file), reloads);
  if (reloads) {
    const look = whenChanged([file], () => reload(encryption, file, log));
    setInterval(look, RELOAD_MS).unref();
  }
  return encryption;
}

async function readConfig(file: string): Promise<EncryptionConfig> {
  const text = await readNamed(file);
  try {
    return parseEncryptionConfig(text);
  } catch (error) {
    throw new FlagError(`--encryption-provider-config ${file}: ${(error as Error).message}`);
  }
}

/** False: it is tried again. */
async function reload(encryption: Encryption, file: string, log: Log): Promise<boolean> {
  try {
    await encryption.replace(await readConfig(file));
    log.info({ file }, 'the configuration of encryption was reloaded');
    return true;
  } catch (err) {
    log.error({ err, file }, 'the configuration of encryption could not be reloaded; the old one stays');
    return false;
  }
}
