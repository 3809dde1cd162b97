// Credentials from a plugin, as kubectl runs them: started when needed, one at a time, kept until they expire
// or the server refuses them.

import { parseTime } from '@instar/go';
import { isJsonObject, type JsonObject, parseJson } from '@instar/machinery';
import type { Clock } from '@instar/serving';
import type { ExecAccess } from '../kubeconfig/cluster-access.ts';
import type { ClientCertificate, Credential } from './credential.ts';
import { PluginError, runPlugin } from './run-plugin.ts';

interface Held {
  readonly authorization: string | undefined;
  readonly clientCertificate: ClientCertificate | undefined;
  readonly expires: number;
}

export class ExecCredential implements Credential {
  readonly #exec: ExecAccess;
  readonly #clock: Clock;
  #held: Promise<Held> | undefined;

  constructor(exec: ExecAccess, clock: Clock) {
    this.#exec = exec;
    this.#clock = clock;
  }

  async authorization(): Promise<string | undefined> {
    return (await this.#current()).authorization;
  }

  async clientCertificate(): Promise<ClientCertificate | undefined> {
    return (await this.#current()).clientCertificate;
  }

  expire(): boolean {
    this.#held = undefined;
    return true;
  }

  async #current(): Promise<Held> {
    const asked = (this.#held ??= this.#run());
    const held = await asked;
    if (held.expires > this.#clock.now()) return held;
    // Whoever notices first starts the plugin; the others wait for the same run.
    if (this.#held === asked) this.#held = this.#run();
    return this.#held ?? this.#current();
  }

  #run(): Promise<Held> {
    const run = runPlugin(this.#exec).then((output) => parseCredential(output, this.#exec));
    run.catch(() => {
      if (this.#held === run) this.#held = undefined;
    });
    return run;
  }
}

/** What the plugin printed; throws PluginError. */
export function parseCredential(output: string, { command, apiVersion }: ExecAccess): Held {
  const fault = (why: string): PluginError =>
    new PluginError(`the credential plugin ${command} printed no credential: ${why}`);
  const credential = parsed(output, fault);
  if (credential['kind'] !== 'ExecCredential' || credential['apiVersion'] !== apiVersion)
    throw fault(`it is ${credential['apiVersion']} ${credential['kind']}, not ${apiVersion} ExecCredential`);
  const status = isJsonObject(credential['status']) ? credential['status'] : {};
  const text = (field: string): string => (typeof status[field] === 'string' ? status[field] : '');
  const [token, certificate, key] = [text('token'), text('clientCertificateData'), text('clientKeyData')];
  if (token === '' && certificate === '') throw fault('neither a token nor a client certificate');
  if ((certificate === '') !== (key === ''))
    throw fault('a client certificate and its key must come together');
  return {
    authorization: token === '' ? undefined : `Bearer ${token}`,
    clientCertificate: certificate === '' ? undefined : { certificate, key },
    expires: expiryOf(text('expirationTimestamp'), fault),
  };
}

function parsed(output: string, fault: (why: string) => PluginError): JsonObject {
  let value: unknown;
  try {
    value = parseJson(output).value;
  } catch (error) {
    throw fault((error as Error).message);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw fault('no object');
  return value as JsonObject;
}

function expiryOf(timestamp: string, fault: (why: string) => PluginError): number {
  if (timestamp === '') return Number.POSITIVE_INFINITY;
  const time = parseTime(timestamp);
  if ('fault' in time) throw fault(time.fault);
  return time.milliseconds;
}
