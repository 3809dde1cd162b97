// The connections to one server: a bounded pool for calls, an unbounded one for watches (each occupies a
// connection as long as it lasts, and must not block calls). Both are replaced when a certificate has
// changed; requests in flight on the old ones finish.
import { readFile } from 'node:fs/promises';
import type { Clock } from '@instar/serving';
import { type Dispatcher, Pool, ProxyAgent } from 'undici';
import type { Credential } from '../auth/credential.ts';
import { ConnectionError } from '../connection-error.ts';
import type { ClusterAccess, PemSource } from '../kubeconfig/cluster-access.ts';
import { proxyFor } from './proxy.ts';

/** How often files with certificates are reread. */
const REREAD_MS = 300_000;
const CONNECT_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 60_000;

interface TlsMaterial {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly servername?: string;
  readonly rejectUnauthorized: boolean;
}

interface Pools {
  readonly material: TlsMaterial;
  readonly calls: Dispatcher;
  readonly watches: Dispatcher;
}

export class Connections {
  readonly #access: ClusterAccess;
  readonly #credential: Credential;
  readonly #clock: Clock;
  readonly #perServer: number;
  readonly #retired = new Set<Dispatcher>();
  #closed = false;
  #files: Pick<TlsMaterial, 'ca' | 'cert' | 'key'> = {};
  #freshUntil = Number.NEGATIVE_INFINITY;
  #pools: Pools | undefined;

  constructor(access: ClusterAccess, credential: Credential, clock: Clock, perServer: number) {
    this.#access = access;
    this.#credential = credential;
    this.#clock = clock;
    this.#perServer = perServer;
  }

  async dispatcher(pool: 'calls' | 'watches'): Promise<Dispatcher> {
    const material = await this.#material();
    if (this.#closed) throw new ConnectionError('closed', 'the client is closed');
    if (this.#pools === undefined || !sameMaterial(this.#pools.material, material)) this.#renew(material);
    return this.#pools![pool];
  }

  /** Aborts everything in flight. */
  async close(): Promise<void> {
    this.#closed = true;
    const { calls, watches } = this.#pools ?? {};
    await Promise.all([calls, watches, ...this.#retired].map((dispatcher) => dispatcher?.destroy()));
  }

  #renew(material: TlsMaterial): void {
    const old = this.#pools;
    this.#pools = {
      material,
      calls: this.#open(material, this.#perServer),
      watches: this.#open(material, null),
    };
    if (old !== undefined) for (const dispatcher of [old.calls, old.watches]) this.#retire(dispatcher);
  }

  #retire(dispatcher: Dispatcher): void {
    this.#retired.add(dispatcher);
    const forget = (): void => void this.#retired.delete(dispatcher);
    dispatcher.close().then(forget, forget);
  }

  #open(tls: TlsMaterial, connections: number | null): Dispatcher {
    const { origin } = new URL(this.#access.server);
    const proxy = proxyFor(new URL(origin), this.#access.proxyUrl, process.env);
    const bounds = { connections, keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: 0, bodyTimeout: 0 };
    if (proxy !== undefined) return new ProxyAgent({ uri: proxy, requestTls: tls, ...bounds });
    return new Pool(origin, { ...bounds, connect: { ...tls, timeout: CONNECT_TIMEOUT_MS } });
  }

  async #material(): Promise<TlsMaterial> {
    const { tls } = this.#access;
    if (this.#clock.now() >= this.#freshUntil) await this.#readFiles();
    const own = await this.#credential.clientCertificate();
    return {
      ...this.#files,
      ...(own !== undefined && { cert: own.certificate, key: own.key }),
      ...(tls.serverName !== undefined && { servername: tls.serverName }),
      rejectUnauthorized: !tls.insecure,
    };
  }

  /** During a rotation a file may be missing: the previous certificates then stay in use. */
  async #readFiles(): Promise<void> {
    try {
      this.#files = await readMaterial(this.#access);
    } catch (error) {
      if (this.#pools === undefined) throw error;
    }
    this.#freshUntil = this.#clock.now() + REREAD_MS;
  }
}

async function readMaterial({
  tls: { ca, clientCertificate: client },
}: ClusterAccess): Promise<Pick<TlsMaterial, 'ca' | 'cert' | 'key'>> {
  return {
    ...(ca !== undefined && { ca: await readPem(ca) }),
    ...(client !== undefined && { cert: await readPem(client.certificate), key: await readPem(client.key) }),
  };
}

async function readPem(source: PemSource): Promise<string> {
  return 'pem' in source ? source.pem : await readFile(source.file, 'utf8');
}

function sameMaterial(a: TlsMaterial, b: TlsMaterial): boolean {
  return (
    a.ca === b.ca &&
    a.cert === b.cert &&
    a.key === b.key &&
    a.servername === b.servername &&
    a.rejectUnauthorized === b.rejectUnauthorized
  );
}
