// Connections to webhooks: kept open, shared by all who call the same place with the same trust, and closed when nobody does any more.
import { isUtf8 } from 'node:buffer';
import { posix } from 'node:path';
import { CallError, type WebhookAnswer } from '@instar/convert';
import type { WebhookClientConfig } from '@instar/machinery';
import type { buildConnector, Dispatcher, Pool } from 'undici';
import { callError } from './go-call-error.ts';
import type { ServiceAddresses } from './service-addresses.ts';

const CONNECTIONS = 16;
const CONNECT_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 30_000;
/** What a webhook may answer with: far more than any batch of objects that it is sent. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

export interface Post {
  readonly pieces: readonly (string | Uint8Array)[];
  readonly timeoutMs: number;
}

export interface WebhookClient {
  /** The URL that is called, without its query. */
  readonly endpoint: string;
  /** Answers, or throws a CallError. */
  post(post: Post): Promise<WebhookAnswer>;
  /** Whoever opened it is done with it. Calls under way are finished. */
  release(): void;
}

type Connector = buildConnector.connector;

interface Shared {
  readonly pool: Promise<Pool>;
  users: number;
}

export class WebhookClients {
  readonly #addresses: ServiceAddresses;
  readonly #userAgent: string;
  readonly #pools = new Map<string, Shared>();

  constructor(addresses: ServiceAddresses, userAgent: string) {
    this.#addresses = addresses;
    this.#userAgent = userAgent;
  }

  open(config: WebhookClientConfig): WebhookClient {
    const target = targetOf(config);
    const key = JSON.stringify([target.origin, config.caBundle ?? '']);
    const shared = this.#pools.get(key) ?? { pool: this.#poolTo(target, config), users: 0 };
    // Whoever calls is told; nobody may ever call.
    shared.pool.catch(() => {});
    shared.users++;
    this.#pools.set(key, shared);
    let isOpen = true;
    const release = (): void => {
      if (isOpen) this.#release(key, shared);
      isOpen = false;
    };
    return { endpoint: target.origin + target.path, post: (post) => this.#post(shared.pool, target, post), release };
  }

  async close(): Promise<void> {
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map(async ({ pool }) => (await pool).destroy()));
  }

  #release(key: string, shared: Shared): void {
    if (--shared.users > 0) return;
    this.#pools.delete(key);
    shared.pool.then((pool) => pool.close()).catch(() => {});
  }

  async #poolTo({ origin, service }: Target, { caBundle = '' }: WebhookClientConfig): Promise<Pool> {
    const { buildConnector, Pool } = await import('./connection-pool.ts');
    const ca = Buffer.from(caBundle, 'base64').toString('utf8').trim();
    const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS, ...(ca !== '' && { ca }) });
    const options = { connections: CONNECTIONS, keepAliveTimeout: KEEP_ALIVE_MS };
    if (service === undefined) return new Pool(origin, { ...options, connect });
    // The certificate is that of the service's name, wherever the service is.
    const servername = `${service.name}.${service.namespace}.svc`;
    const connectToService: Connector = (asked, done) => {
      this.#addresses.resolve(service.namespace, service.name, service.port).then(
        ({ host, port }) => connect({ ...asked, hostname: host, host, port: String(port), servername }, done),
        (error: Error) => done(error, null),
      );
    };
    return new Pool(origin, { ...options, connect: connectToService });
  }

  async #post(pool: Promise<Pool>, { origin, path }: Target, { pieces, timeoutMs }: Post): Promise<WebhookAnswer> {
    const query = `?timeout=${timeoutMs / 1000}s`;
    const url = `${origin}${path}${query}`;
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), timeoutMs);
    let hasHeaders = false;
    try {
      const headers = { 'content-type': 'application/json', accept: 'application/json, */*', 'user-agent': this.#userAgent };
      const body = joined(pieces);
      const request = {
        method: 'POST',
        path: path + query,
        headers,
        body,
        signal: abort.signal,
        headersTimeout: 0,
        bodyTimeout: 0,
      } as const;
      const response = await (await pool).request(request);
      hasHeaders = true;
      const type = response.headers['content-type'];
      return new ReceivedAnswer(response.statusCode, typeof type === 'string' ? type : '', await readBytes(response, url));
    } catch (error) {
      if (error instanceof CallError) throw error;
      if (abort.signal.aborted) throw new CallError(`Post "${url}": ${timedOut(hasHeaders)}`, 'timeout');
      throw callError(url, error);
    } finally {
      clearTimeout(timer);
    }
  }
}

const timedOut = (hasHeaders: boolean): string =>
  `context deadline exceeded (Client.Timeout ${hasHeaders ? 'or context cancellation while reading body' : 'exceeded while awaiting headers'})`;

async function readBytes({ body }: Dispatcher.ResponseData, url: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw new CallError(`Post "${url}": the answer has more than ${MAX_ANSWER_BYTES} bytes`, 'call');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Text is made of it only if somebody asks. */
class ReceivedAnswer implements WebhookAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly bytes: Buffer | undefined;
  readonly #received: Buffer;

  constructor(status: number, contentType: string, received: Buffer) {
    this.status = status;
    this.contentType = contentType;
    this.bytes = isUtf8(received) ? received : undefined;
    this.#received = received;
  }

  get body(): string {
    return this.#received.toString('utf8');
  }
}

/** Objects of a batch come in many small pieces, of which the separators are strings of a byte. */
function joined(pieces: readonly (string | Uint8Array)[]): Buffer {
  const length = pieces.reduce((sum, piece) => sum + (typeof piece === 'string' ? Buffer.byteLength(piece) : piece.byteLength), 0);
  const whole = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const piece of pieces) {
    if (typeof piece === 'string') at += whole.write(piece, at);
    else {
      whole.set(piece, at);
      at += piece.byteLength;
    }
  }
  return whole;
}

interface Target {
  readonly origin: string;
  /** As client-go writes it: no slash at the end. */
  readonly path: string;
  readonly service?: { readonly namespace: string; readonly name: string; readonly port: number };
}

function targetOf({ url, service }: WebhookClientConfig): Target {
  if (service !== undefined) {
    const { namespace, name, path = '', port = 443 } = service;
    return { origin: `https://${name}.${namespace}.svc:${port}`, path: cleanPath(path), service: { namespace, name, port } };
  }
  const { origin, pathname } = new URL(url!);
  return { origin, path: cleanPath(pathname) };
}

const cleanPath = (path: string): string => posix.join('/', path).replace(/(?<=.)\/$/, '');
