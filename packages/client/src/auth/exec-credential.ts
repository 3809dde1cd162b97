// Credentials from an exec plugin, as kubectl runs them: on demand, one run at a time, cached until they
// expire or the server refuses them.

import { parseTime } from '@instar/go';
import { isJsonObject, type JsonObject, parseJson } from '@instar/machinery';
import type { Clock } from '@instar/serving';
import type { ExecAccess } from '../kubeconfig/cluster-access.ts';
import type { ClientCertificate, Credential } from './credential.ts';
import { PluginError, runPlugin } from './run-plugin.ts';

interface CachedCredential {
  readonly authorization: string | undefined;
  readonly clientCertificate: ClientCertificate | undefined;
  readonly expires: number;
}

export class ExecCredential implements Credential {
  readonly #exec: ExecAccess;
  readonly #clock: Clock;
  #cached: Promise<CachedCredential> | undefined;

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
    this.#cached = undefined;
    return true;
  }

  async #current(): Promise<CachedCredential> {
    const pending = (this.#cached ??= this.#run());
    const cached = await pending;
    if (cached.expires > this.#clock.now()) return cached;
    // The first caller to notice starts the plugin; others wait for the same run.
    if (this.#cached === pending) this.#cached = this.#run();
    return this.#cached ?? this.#current();
  }

  #run(): Promise<CachedCredential> {
    const run = runPlugin(this.#exec).then((output) => parseCredential(output, this.#exec));
    run.catch(() => {
      if (this.#cached === run) this.#cached = undefined;
    });
    return run;
  }
}

/** Parses the output of the plugin; throws PluginError. */
function parseCredential(output: string, { command, apiVersion }: ExecAccess): CachedCredential {
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
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw fault('it is not an object');
  return value as JsonObject;
}

function expiryOf(timestamp: string, fault: (why: string) => PluginError): number {
  if (timestamp === '') return Number.POSITIVE_INFINITY;
  const time = parseTime(timestamp);
  if ('fault' in time) throw fault(time.fault);
  return time.milliseconds;
}
