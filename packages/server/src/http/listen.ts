// One port that speaks HTTP/2 and HTTP/1.1 over TLS. Knows nothing of paths, users or resources: it hands requests to one handler.
import {
  createSecureServer,
  type Http2SecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { Writable } from 'node:stream';
import type { SecureContextOptions } from 'node:tls';
import type { Log } from '@instar/serving';
import type { Handler } from './exchange.ts';
import { serveHttp1 } from './http1.ts';
import { serveHttp2 } from './http2.ts';
import { OpenStreams } from './open-streams.ts';
import type { Transport } from './transport.ts';

export interface ListenOptions {
  readonly handler: Handler;
  readonly address: string;
  /** 0 picks one. */
  readonly port: number;
  readonly tls: SecureContextOptions;
  readonly maxBodyBytes: number;
  /** For the time in which a whole request must have come in over HTTP/1. */
  readonly requestTimeoutMs: number;
  readonly log: Log;
}

export interface Listener {
  readonly address: string;
  readonly port: number;
  readonly openStreams: number;
  /** New connections get these certificates; old ones go on. */
  setSecureContext(tls: SecureContextOptions): void;
  /** Ends watches, lets requests under way finish for at most so long, then closes every connection. */
  close(graceMs: number): Promise<void>;
}

const MAX_HEADER_BYTES = 64 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
/** Longer than the idle time of common clients and load balancers, so that they are the ones to close. */
const KEEP_ALIVE_MS = 90_000;
const TCP_KEEP_ALIVE_MS = 15_000;
const TIMEOUT_CHECK_MS = 5_000;
const CLOSE_POLL_MS = 20;

export async function listen(options: ListenOptions): Promise<Listener> {
  const listener = new TlsListener(options);
  await listener.open();
  return listener;
}

class TlsListener implements Listener, Transport {
  readonly handle: Handler;
  readonly maxBodyBytes: number;
  readonly streams = new OpenStreams();
  closing = false;
  readonly #options: ListenOptions;
  readonly #server: Http2SecureServer;
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #sockets = new Set<Socket>();

  constructor(options: ListenOptions) {
    this.#options = options;
    this.handle = options.handler;
    this.maxBodyBytes = options.maxBodyBytes;
    this.#server = createServer(options);
    this.#serve();
    this.#track();
  }

  get address(): string {
    return (this.#server.address() as AddressInfo).address;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get openStreams(): number {
    return this.streams.size;
  }

  open(): Promise<void> {
    const { port, address } = this.#options;
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, address, () => {
        this.#server.off('error', reject);
        this.#server.on('error', (error: Error) => this.#options.log.error({ err: error }, 'the listener failed'));
        resolve();
      });
    });
  }

  setSecureContext(tls: SecureContextOptions): void {
    this.#server.setSecureContext(tls);
  }

  async close(graceMs: number): Promise<void> {
    this.closing = true;
    this.streams.endAll();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const session of this.#sessions) session.close();
    // HTTP/1 connections become idle one by one as their last answers go out.
    const poll = setInterval(() => (this.#server as unknown as { closeIdleConnections(): void }).closeIdleConnections(), CLOSE_POLL_MS);
    const force = setTimeout(() => this.#destroyAll(), graceMs);
    await closed;
    clearInterval(poll);
    clearTimeout(force);
  }

  onBug(out: Writable, error: unknown): void {
    this.#options.log.error({ err: error }, 'an answer could not be written');
    out.destroy();
  }

  #serve(): void {
    const server = this.#server;
    server.on('request', (message, out) => serveHttp1(this, message as never, out as never));
    // The first listener for `request` makes Node serve HTTP/2 through its compatibility layer: take that away again.
    server.removeAllListeners('stream');
    server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, _flags: number, rawHeaders?: string[]) =>
      serveHttp2(this, stream, headers, rawHeaders ?? []),
    );
  }

  #track(): void {
    const { log } = this.#options;
    this.#server.on('session', (session: ServerHttp2Session) => {
      this.#sessions.add(session);
      session.once('close', () => this.#sessions.delete(session));
      session.on('error', (error: Error) => log.debug({ err: error }, 'an HTTP/2 session failed'));
      if (this.closing) session.close();
    });
    this.#server.on('secureConnection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      socket.on('error', (error) => log.debug({ err: error }, 'a connection failed'));
    });
    this.#server.on('tlsClientError', (error: Error) => log.debug({ err: error }, 'a TLS handshake failed'));
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => refuse(error, socket));
  }

  #destroyAll(): void {
    for (const session of this.#sessions) session.destroy();
    for (const socket of this.#sockets) socket.destroy();
  }
}

function createServer({ tls, requestTimeoutMs }: ListenOptions): Http2SecureServer {
  const server = createSecureServer({
    ...tls,
    allowHTTP1: true,
    noDelay: true,
    // Finds out about clients that went without a word, whose watches would stay for ever.
    keepAlive: true,
    keepAliveInitialDelay: TCP_KEEP_ALIVE_MS,
    handshakeTimeout: HEADERS_TIMEOUT_MS,
    minVersion: 'TLSv1.2',
    // Asked for and verified, but not required: tokens are the other way in.
    requestCert: true,
    rejectUnauthorized: false,
    // Many watches share one connection.
    maxSessionMemory: 1024,
    settings: { maxConcurrentStreams: 10_000, initialWindowSize: 256 * 1024, maxHeaderListSize: MAX_HEADER_BYTES },
    // Where Node can tell (from 24 on), let clients cancel many watches at once without being thrown out.
    ...({ streamResetBurst: 10_000, streamResetRate: 1_000 } as object),
  });
  // Node gives these to plain HTTP/1 servers as options; here they are properties.
  const http1 = server as unknown as Record<string, number>;
  http1['maxHeaderSize'] = MAX_HEADER_BYTES;
  http1['keepAliveTimeout'] = KEEP_ALIVE_MS;
  http1['headersTimeout'] = HEADERS_TIMEOUT_MS;
  http1['requestTimeout'] = requestTimeoutMs;
  http1['connectionsCheckingInterval'] = TIMEOUT_CHECK_MS;
  return server;
}

/** Not HTTP, or headers beyond the limit: Node would answer with nothing at all. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: text/plain; charset=utf-8\r\n\r\n${status}`);
}
