// The CA of client certificates, read again when its file changes.
import { readFile } from 'node:fs/promises';
import type { Log } from '@instar/serving';
import { type Reloaded, reloaded } from './reloaded.ts';

/** PEM; undefined if no certificates are asked for. */
export type ClientCa = Reloaded<string | undefined>;

export async function openClientCa(file: string | undefined, log: Log): Promise<ClientCa> {
  if (file === undefined) return { current: undefined, start: () => {}, stop: () => {} };
  return reloaded([file], () => readCa(file), log, { what: 'the CAs of client certificates' });
}

async function readCa(file: string): Promise<string> {
  const text = await readFile(file, 'utf8');
  if (!text.includes('-----BEGIN CERTIFICATE-----')) throw new Error(`${file} holds no certificate`);
  return text;
}
