// Connections to webhooks: kept open, shared by all clients of the same address with the same caBundle, and
// closed when the last of them is released.
import { type ConnectionOptions, createSecureContext } from 'node:tls';
import { CallError, MAX_CONCURRENCY, type WebhookAnswer } from '@instar/convert';
import type { WebhookClientConfig } from '@instar/machinery';
import { SpareMemory } from '@instar/serving';
import { callError } from './go-call-error.ts';
import { ConnectionPool } from './http1/connection-pool.ts';
import { receivedAnswer } from './received-answer.ts';
import type { ServiceAddresses } from './service-addresses.ts';
import { type WebhookTarget, webhookTarget } from './webhook-target.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_MS = 30_000;
/** Far more than any batch of objects that is sent to a webhook. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

interface Post {
  readonly pieces: readonly (string | Uint8Array)[];
  readonly timeoutMs: number;
}

export interface WebhookClient {
  /** The URL that is called, without its query. */
  readonly endpoint: string;
  /** Returns the answer, or throws a CallError. */
  post(post: Post): Promise<WebhookAnswer>;
  /** To be called when it is no longer used. Calls in flight are finished. */
  release(): void;
}

interface SharedPool {
  readonly pool: ConnectionPool;
  users: number;
}

export class WebhookClients {
  readonly #addresses: ServiceAddresses;
  readonly #userAgent: string;
  readonly #pools = new Map<string, SharedPool>();
  readonly #memory = new SpareMemory();

  constructor(addresses: ServiceAddresses, userAgent: string) {
    this.#addresses = addresses;
    this.#userAgent = userAgent;
  }

  open(config: WebhookClientConfig): WebhookClient {
    const target = webhookTarget(config);
    if (typeof target === 'string') return unusableClient(config, target);
    const key = JSON.stringify([target.origin, config.caBundle ?? '']);
    const shared = this.#pools.get(key) ?? { pool: this.#poolTo(target, config), users: 0 };
    shared.users++;
    this.#pools.set(key, shared);
    let isOpen = true;
    const release = (): void => {
      if (isOpen) this.#release(key, shared);
      isOpen = false;
    };
    return {
      endpoint: target.origin + target.path,
      post: (post) => this.#post(shared.pool, target, post),
      release,
    };
  }

  close(): void {
    for (const { pool } of this.#pools.values()) pool.destroy(new Error('the server is being stopped'));
    this.#pools.clear();
  }

  #release(key: string, shared: SharedPool): void {
    if (--shared.users > 0) return;
    this.#pools.delete(key);
    shared.pool.close();
  }

  #poolTo({ address, service }: WebhookTarget, { caBundle = '' }: WebhookClientConfig): ConnectionPool {
    const ca = Buffer.from(caBundle, 'base64').toString('utf8').trim();
    const trust = trusting(ca === '' ? undefined : ca);
    const limits = {
      maxConnections: MAX_CONCURRENCY,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      idleMs: IDLE_MS,
    };
    if (service === undefined) {
      return new ConnectionPool({ ...limits, target: () => ({ ...trust(), ...address() }) });
    }
    // The certificate must have the name of the service, whatever its address.
    const servername = `${service.name}.${service.namespace}.svc`;
    const target = async () => ({
      ...trust(),
      ...(await this.#addresses.resolve(service.namespace, service.name, service.port)),
      servername,
    });
    return new ConnectionPool({ ...limits, target });
  }

  async #post(
    pool: ConnectionPool,
    { origin, path, headers }: WebhookTarget,
    { pieces, timeoutMs }: Post,
  ): Promise<WebhookAnswer> {
    const query = `?timeout=${timeoutMs / 1000}s`;
    const url = `${origin}${path}${query}`;
    const head = `POST ${path}${query} HTTP/1.1\r\n${headers}user-agent: ${this.#userAgent}\r\n`;
    const pending = pool.send({ head, pieces, maxAnswerBytes: MAX_ANSWER_BYTES, memory: this.#memory });
    const abort = (): void => {
      const { hasHead, wasSent: reached } = pending;
      pool.abort(pending, new CallError(`Post "${url}": ${timedOut(hasHead)}`, 'timeout', { reached }));
    };
    const timer = setTimeout(abort, timeoutMs);
    try {
      return receivedAnswer(url, await pending.response);
    } catch (error) {
      throw error instanceof CallError ? error : callError(url, error, pending.wasSent);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** For a configuration that was stored unvalidated: every call fails, as if the webhook were unreachable. */
function unusableClient({ url = '' }: WebhookClientConfig, fault: string): WebhookClient {
  return { endpoint: url, post: () => Promise.reject(new CallError(fault, 'call')), release: () => {} };
}

const timedOut = (hasHeaders: boolean): string =>
  `context deadline exceeded (Client.Timeout ${hasHeaders ? 'or context cancellation while reading body' : 'exceeded while awaiting headers'})`;

/**
 * Certificates are parsed once, when the first connection is made, which fails if they are invalid. Any of
 * them ends a chain, as with Go: envtest gives the certificate of the webhook itself as caBundle.
 */
function trusting(ca: string | undefined): () => ConnectionOptions {
  let options: ConnectionOptions | undefined;
  return () => {
    options ??= {
      ALPNProtocols: ['http/1.1'],
      secureContext: createSecureContext({ ca, allowPartialTrustChain: true }),
    };
    return options;
  };
}
