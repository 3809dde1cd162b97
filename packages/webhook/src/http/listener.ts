// One port that speaks HTTP/2 and HTTP/1.1 over TLS. Knows nothing of paths: it hands exchanges to one handler.
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import type { Log } from '@instar/serving';
import type { Exchange } from './exchange.ts';
import { Http1Exchange } from './http1.ts';
import { Http2Exchange } from './http2.ts';

export interface ListenerOptions {
  readonly handle: (exchange: Exchange) => void;
  /** Undefined: every address. */
  readonly host: string | undefined;
  readonly port: number;
  readonly tls: SecureContextOptions;
  /** Asked for and checked, but not required: who needs one is decided by path. */
  readonly askForClientCertificate: boolean;
  readonly maxStreams: number;
  readonly log: Log;
}

const HEADERS_TIMEOUT_MS = 10_000;
/** In which a whole request must have come in over HTTP/1. */
const REQUEST_TIMEOUT_MS = 60_000;
/** Longer than the idle time of API servers, so that they are the ones to close. */
const KEEP_ALIVE_MS = 120_000;
const TCP_KEEP_ALIVE_MS = 30_000;
const STREAM_WINDOW_BYTES = 1024 * 1024;
const SESSION_WINDOW_BYTES = 8 * 1024 * 1024;
const CLOSE_POLL_MS = 20;

export class Listener {
  readonly #options: ListenerOptions;
  readonly #server: Http2SecureServer;
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #sockets = new Set<Socket>();
  #closing = false;

  private constructor(options: ListenerOptions) {
    this.#options = options;
    this.#server = createServer(options);
    this.#serve();
    this.#track();
  }

  static async open(options: ListenerOptions): Promise<Listener> {
    const listener = new Listener(options);
    const server = listener.#server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(options.port, options.host, () => {
        server.off('error', reject);
        server.on('error', (error: Error) => options.log.error({ err: error }, 'the listener failed'));
        resolve();
      });
    });
    return listener;
  }

  get address(): AddressInfo {
    return this.#server.address() as AddressInfo;
  }

  /** New connections get these certificates; old ones go on. */
  setSecureContext(tls: SecureContextOptions): void {
    this.#server.setSecureContext(tls);
  }

  /** Lets exchanges under way finish for at most so long, then closes every connection. */
  async close(graceMs: number): Promise<void> {
    this.#closing = true;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const session of this.#sessions) session.close();
    // HTTP/1 connections become idle one by one as their last answers go out.
    const poll = setInterval(() => (this.#server as unknown as { closeIdleConnections(): void }).closeIdleConnections(), CLOSE_POLL_MS);
    const force = setTimeout(() => this.#destroyAll(), graceMs);
    await closed;
    clearInterval(poll);
    clearTimeout(force);
  }

  #serve(): void {
    const { handle } = this.#options;
    const isClosing = (): boolean => this.#closing;
    this.#server.on('request', (message, out) =>
      handle(new Http1Exchange(message as unknown as IncomingMessage, out as unknown as ServerResponse, isClosing)),
    );
    // The first listener for `request` makes Node serve HTTP/2 through its compatibility layer: take that away again.
    this.#server.removeAllListeners('stream');
    this.#server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => handle(new Http2Exchange(stream, headers)));
  }

  #track(): void {
    const { log } = this.#options;
    this.#server.on('session', (session: ServerHttp2Session) => {
      this.#sessions.add(session);
      session.setLocalWindowSize(SESSION_WINDOW_BYTES);
      session.once('close', () => this.#sessions.delete(session));
      session.on('error', (error: Error) => log.debug({ err: error }, 'an HTTP/2 session failed'));
      if (this.#closing) session.close();
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

function createServer({ tls, askForClientCertificate, maxStreams }: ListenerOptions): Http2SecureServer {
  const server = createSecureServer({
    ...tls,
    allowHTTP1: true,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: TCP_KEEP_ALIVE_MS,
    handshakeTimeout: HEADERS_TIMEOUT_MS,
    minVersion: 'TLSv1.2',
    requestCert: askForClientCertificate,
    rejectUnauthorized: false,
    maxSessionMemory: 256,
    settings: { maxConcurrentStreams: maxStreams, initialWindowSize: STREAM_WINDOW_BYTES },
  });
  // Node gives these to plain HTTP/1 servers as options; here they are properties.
  const http1 = server as unknown as Record<string, number>;
  http1['keepAliveTimeout'] = KEEP_ALIVE_MS;
  http1['headersTimeout'] = HEADERS_TIMEOUT_MS;
  http1['requestTimeout'] = REQUEST_TIMEOUT_MS;
  return server;
}

/** Not HTTP: Node would answer with nothing at all. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
}
