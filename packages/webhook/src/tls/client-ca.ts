// The CAs of client certificates, reloaded when their file changes.
import { type Log, readCertificates } from '@instar/serving';
import { type Reloaded, reloaded } from './reloaded.ts';

/** PEM; undefined if client certificates are not requested. */
export type ClientCa = Reloaded<string | undefined>;

export async function openClientCa(file: string | undefined, log: Log): Promise<ClientCa> {
  if (file === undefined) return { current: undefined, start: () => {}, stop: () => {} };
  return reloaded([file], () => readCertificates(file), log, { what: 'the CAs of client certificates' });
}
