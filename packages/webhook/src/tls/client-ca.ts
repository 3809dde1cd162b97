// The CA of client certificates, read again when its file changes.
import { readFile } from 'node:fs/promises';
import { type Log, whenChanged } from '@instar/serving';

export interface ClientCa {
  /** PEM; undefined if no certificates are asked for. */
  readonly current: string | undefined;
  start(onChange: () => void): void;
  stop(): void;
}

const LOOK_EVERY_MS = 5_000;

export async function openClientCa(file: string | undefined, log: Log): Promise<ClientCa> {
  if (file === undefined) return { current: undefined, start: () => {}, stop: () => {} };
  let current = await readCa(file);
  let timer: NodeJS.Timeout | undefined;
  return {
    get current() {
      return current;
    },
    start(onChange) {
      const renew = async (): Promise<boolean> => {
        try {
          current = await readCa(file);
        } catch (error) {
          log.error({ err: error }, 'the CA of client certificates could not be read; the old one stays');
          return false;
        }
        onChange();
        return true;
      };
      timer = setInterval(whenChanged([file], renew), LOOK_EVERY_MS).unref();
    },
    stop: () => clearInterval(timer),
  };
}

async function readCa(file: string): Promise<string> {
  const text = await readFile(file, 'utf8');
  if (!text.includes('-----BEGIN CERTIFICATE-----')) throw new Error(`${file} holds no certificate`);
  return text;
}
