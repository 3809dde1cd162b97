// A port that serves HTTP/2 and HTTP/1.1 over TLS. Independent of paths and bodies: it passes exchanges on,
// tracks connections, and closes them gracefully.
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type IncomingHttpHeaders,
  type SecureServerOptions,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { DEFAULT_CIPHERS, type SecureContext, type SecureContextOptions, type TLSSocket } from 'node:tls';
import type { Exchange } from '../exchange/exchange.ts';
import { type ConnectionPolicy, Http1Exchange } from '../exchange/http1-exchange.ts';
import { Http2Exchange } from '../exchange/http2-exchange.ts';
import { closeWhenIdle } from '../exchange/idle-session.ts';
import { Upgrade } from '../exchange/upgrade.ts';
import type { Log } from '../log/log.ts';
import { UnfinishedBodies } from './unfinished-bodies.ts';

export interface TlsListenerOptions {
  /** Undefined: every address. */
  readonly host: string | undefined;
  /** 0 picks a free one. */
  readonly port: number;
  readonly tls: SecureContextOptions;
  /** The context for a name that a client asks for; undefined: the usual one. */
  readonly contextFor?: ((name: string) => SecureContext | undefined) | undefined;
  /** Requested and verified, but not required: that is decided by request. */
  readonly askForClientCertificate: boolean;
  /**
   * How long idle HTTP/1 connections are kept: longer than clients keep them, so that the client closes
   * first.
   */
  readonly keepAliveMs: number;
  /** How long a whole HTTP/1 request may take to arrive. */
  readonly requestTimeoutMs: number;
  readonly maxHeaderBytes: number;
  /** How long a client may take for the TLS handshake, and then for the head of a request; 10 s. */
  readonly handshakeTimeoutMs?: number;
  /** How long a client may take to close a connection that we have closed; 5 s. */
  readonly lingerMs?: number;
  /** How long the bodies of requests may still take once the listener closes; 2 s. */
  readonly lastBodiesMs?: number;
  readonly http2: Pick<SecureServerOptions, 'maxSessionMemory' | 'settings'>;
  /**
   * Whether HTTP/1 connections are closed after an answer that is sent before the end of the request's body.
   */
  readonly closesUnread: boolean;
  /** Whether exchanges have an `upgrade`. Otherwise such a request is like any other. */
  readonly allowsUpgrades?: boolean;
  readonly onExchange: (exchange: Exchange) => void;
  readonly onSession?: (session: ServerHttp2Session) => void;
  readonly log: Log;
}

const HANDSHAKE_TIMEOUT_MS = 10_000;
const TCP_KEEP_ALIVE_MS = 15_000;
const TIMEOUT_CHECK_MS = 5_000;
const CLOSE_POLL_MS = 20;
const LAST_BODIES_MS = 2_000;
const LINGER_MS = 5_000;

/**
 * The ciphers that Node allows, with the one that Go prefers first: it takes a fifth less time for the same
 * bytes, which matters for long lists.
 */
const isFastest = (cipher: string): boolean => cipher === 'TLS_AES_128_GCM_SHA256';
const CIPHERS = DEFAULT_CIPHERS.split(':')
  .sort((a, b) => Number(isFastest(b)) - Number(isFastest(a)))
  .join(':');

/** Accepts HTTPS connections on one port, HTTP/1.1 and HTTP/2. */
export class TlsListener implements ConnectionPolicy {
  readonly #options: TlsListenerOptions;
  readonly #server: Http2SecureServer;
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #sockets = new Set<Socket>();
  /** TCP connections whose TLS handshake is not finished, by the address of the client. */
  readonly #handshaking = new Map<string, Socket>();
  readonly #unfinished = new UnfinishedBodies();
  /** The newest exchange of each HTTP/1 connection; undefined before the first. */
  readonly #http1 = new Map<Socket, Http1Exchange | undefined>();
  #closing = false;

  private constructor(options: TlsListenerOptions) {
    this.#options = options;
    this.#server = createServer(options);
    this.#serve();
    this.#track();
  }

  static async open(options: TlsListenerOptions): Promise<TlsListener> {
    const listener = new TlsListener(options);
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

  /** True once `close` was called. */
  get isClosing(): boolean {
    return this.#closing;
  }

  /** How many are open, those that are still in their TLS handshake not counted. */
  get connections(): number {
    return this.#sockets.size;
  }

  get closesUnread(): boolean {
    return this.#options.closesUnread;
  }

  /** For new connections; existing ones keep their certificates. */
  setSecureContext(tls: SecureContextOptions): void {
    this.#server.setSecureContext({ ciphers: CIPHERS, ...tls });
  }

  /**
   * Waits at most `graceMs` for exchanges in flight, less for those whose bodies have not arrived, then
   * closes every connection.
   */
  async close(graceMs: number): Promise<void> {
    this.#closing = true;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const session of this.#sessions) session.close();
    for (const socket of this.#handshaking.values()) socket.destroy();
    const bodiesUntil = performance.now() + (this.#options.lastBodiesMs ?? LAST_BODIES_MS);
    // HTTP/1 connections become idle one by one as their last answers are sent.
    const poll = setInterval(() => {
      (this.#server as unknown as { closeIdleConnections(): void }).closeIdleConnections();
      this.#closeUnused(performance.now() >= bodiesUntil);
    }, CLOSE_POLL_MS);
    const force = setTimeout(() => this.#destroyAll(), graceMs);
    await closed;
    clearInterval(poll);
    clearTimeout(force);
  }

  #serve(): void {
    const { allowsUpgrades } = this.#options;
    if (allowsUpgrades)
      this.#server.on('upgrade', (message: IncomingMessage, socket: Socket, head: Buffer) =>
        this.#onUpgrade(message, socket, head),
      );
    this.#server.on('request', (message, out) =>
      this.#begin(
        new Http1Exchange(message as unknown as IncomingMessage, out as unknown as ServerResponse, this),
      ),
    );
    // The first listener for `request` makes Node serve HTTP/2 through its compatibility layer: remove that.
    this.#server.removeAllListeners('stream');
    this.#server.on(
      'stream',
      (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, _flags: number, rawHeaders: string[] = []) =>
        this.#begin(new Http2Exchange(stream, headers, rawHeaders)),
    );
  }

  #onUpgrade(message: IncomingMessage, socket: Socket, head: Buffer): void {
    // Node reads no body of such a request: it would be treated as the other protocol.
    if (message.method !== 'GET' && message.method !== 'HEAD') {
      refuseWith(socket, '400 Bad Request');
      return;
    }
    const upgrade = new Upgrade(message, socket, head);
    this.#begin(new Http1Exchange(message, upgrade.out, this, upgrade));
  }

  #begin(exchange: Http1Exchange | Http2Exchange): void {
    this.#unfinished.add(exchange);
    if (exchange instanceof Http1Exchange) this.#http1.set(exchange.socket, exchange);
    this.#options.onExchange(exchange);
  }

  #track(): void {
    const { log, onSession } = this.#options;
    this.#server.on('session', (session: ServerHttp2Session) => {
      this.#sessions.add(session);
      session.once('close', () => this.#sessions.delete(session));
      session.on('error', (error: Error) => log.debug({ err: error }, 'an HTTP/2 session failed'));
      closeWhenIdle(session, this.#options.keepAliveMs);
      onSession?.(session);
      if (this.#closing) session.close();
    });
    this.#server.on('connection', (socket: Socket) => {
      const client = clientOf(socket);
      this.#handshaking.set(client, socket);
      socket.once('close', () => this.#handshaking.delete(client));
      if (this.#closing) socket.destroy();
    });
    this.#server.on('secureConnection', (socket: Socket) => {
      const client = clientOf(socket);
      const underlying = this.#handshaking.get(client);
      this.#handshaking.delete(client);
      this.#sockets.add(socket);
      if ((socket as TLSSocket).alpnProtocol !== 'h2') this.#http1.set(socket, undefined);
      destroyAfterEnd(socket, this.#options.lingerMs ?? LINGER_MS);
      socket.once('close', () => {
        this.#sockets.delete(socket);
        this.#http1.delete(socket);
        // Node leaves it open if the client resets a connection that was refused.
        underlying?.destroy();
      });
      socket.on('error', (error) => log.debug({ err: error }, 'a connection failed'));
    });
    this.#server.on('tlsClientError', (error: Error, socket: Socket) => {
      log.debug({ err: error }, 'a TLS handshake failed');
      // Node leaves it open even after the handshake timeout.
      socket.destroy();
      this.#handshaking.get(clientOf(socket))?.destroy();
    });
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => refuse(error, socket));
  }

  /**
   * Closes connections that Node does not treat as idle: no request has come yet, and, if `includingPartial`,
   * only a part of one, or the client does not close its side.
   */
  #closeUnused(includingPartial: boolean): void {
    for (const [socket, exchange] of this.#http1) {
      const isPartial = exchange?.isClosed && exchange.upgrade === undefined && socket.writableLength === 0;
      if (exchange === undefined || (includingPartial && isPartial)) socket.destroy();
    }
    if (!includingPartial) return;
    this.#unfinished.abort();
    for (const socket of this.#sockets) if (socket.writableFinished) socket.destroy();
  }

  #destroyAll(): void {
    for (const session of this.#sessions) session.destroy();
    for (const socket of this.#sockets) socket.destroy();
  }
}

const clientOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/** Node closes its side of a connection gracefully, and then waits for the client without a limit. */
function destroyAfterEnd(socket: Socket, lingerMs: number): void {
  socket.once('finish', () => {
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    timer.unref();
    socket.once('close', () => clearTimeout(timer));
  });
}

function createServer(options: TlsListenerOptions): Http2SecureServer {
  const { tls, contextFor, askForClientCertificate, maxHeaderBytes, http2 } = options;
  const server = createSecureServer({
    ciphers: CIPHERS,
    minVersion: 'TLSv1.2',
    ...tls,
    ...(contextFor && { SNICallback: byName(contextFor) }),
    allowHTTP1: true,
    noDelay: true,
    // Detects clients that vanished without closing, whose streams would stay forever.
    keepAlive: true,
    keepAliveInitialDelay: TCP_KEEP_ALIVE_MS,
    handshakeTimeout: options.handshakeTimeoutMs ?? HANDSHAKE_TIMEOUT_MS,
    requestCert: askForClientCertificate,
    rejectUnauthorized: false,
    ...http2,
    settings: { ...http2.settings, maxHeaderListSize: maxHeaderBytes },
    // From Node 24 on: let clients cancel many streams together without being disconnected.
    ...({ streamResetBurst: 10_000, streamResetRate: 1_000 } as object),
  });
  // Options of Node's plain HTTP/1 servers; here they have to be set as properties.
  const http1 = server as unknown as Record<string, number>;
  http1['maxHeaderSize'] = maxHeaderBytes;
  http1['keepAliveTimeout'] = options.keepAliveMs;
  http1['headersTimeout'] = options.handshakeTimeoutMs ?? HANDSHAKE_TIMEOUT_MS;
  http1['requestTimeout'] = options.requestTimeoutMs;
  http1['connectionsCheckingInterval'] = TIMEOUT_CHECK_MS;
  return server;
}

type SniCallback = NonNullable<SecureServerOptions['SNICallback']>;

const byName =
  (contextFor: NonNullable<TlsListenerOptions['contextFor']>): SniCallback =>
  (name, done) =>
    done(null, contextFor(name));

/** For requests that are not HTTP, or headers beyond the limit: Node would send no answer. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status =
    error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
  refuseWith(socket, status);
}

function refuseWith(socket: Socket, status: string): void {
  socket.end(
    `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: text/plain; charset=utf-8\r\n\r\n${status}`,
  );
}
