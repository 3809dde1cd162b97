// One HTTP/2 connection to one endpoint, which detects by itself when the peer is silent.

import { type ClientHttp2Session, connect, type SecureClientSessionOptions } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import { GRPC, GrpcError } from './status.ts';

export interface TlsFiles {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

export interface ConnectionOptions {
  readonly tls: TlsFiles | undefined;
  readonly connectTimeoutMs: number;
  /** How often the peer is pinged. etcd treats more than once in 5 seconds as an attack. */
  readonly keepaliveMs: number;
  readonly keepaliveTimeoutMs: number;
}

const WINDOW = 8 * 1024 * 1024;

/** Resolves when the connection may be used. */
export function openConnection(authority: string, options: ConnectionOptions): Promise<ClientHttp2Session> {
  const { tls, connectTimeoutMs } = options;
  const session = authority.startsWith(UNIX)
    ? connectUnix(authority.slice(UNIX.length))
    : connect(`${tls === undefined ? 'http' : 'https'}://${authority}`, sessionOptions(tls));
  return new Promise((resolve, reject) => {
    const fail = (why: string, cause?: unknown): void => {
      clearTimeout(timer);
      session.destroy();
      reject(new GrpcError(GRPC.unavailable, `${authority}: ${why}`, { cause, unsent: true }));
    };
    const timer = setTimeout(() => fail(`no connection within ${connectTimeoutMs} ms`), connectTimeoutMs);
    session.on('error', (error) => fail(error.message, error));
    session.once('close', () => fail('the connection was closed'));
    // Only the peer's first frame shows that it speaks HTTP/2.
    session.once('remoteSettings', () => {
      clearTimeout(timer);
      session.setLocalWindowSize(WINDOW);
      keepAlive(session, options);
      resolve(session);
    });
  });
}

const UNIX = 'unix:';

/** Names of abstract sockets begin with @. */
function connectUnix(path: string): ClientHttp2Session {
  const name = path.startsWith('@') ? `\0${path.slice(1)}` : path;
  return connect('http://localhost', {
    ...sessionOptions(undefined),
    createConnection: () => connectSocket(name),
  });
}

function sessionOptions(tls: TlsFiles | undefined): SecureClientSessionOptions {
  const settings = { enablePush: false, initialWindowSize: WINDOW };
  return tls === undefined ? { settings } : { settings, ...tls, ALPNProtocols: ['h2'] };
}

function keepAlive(
  session: ClientHttp2Session,
  { keepaliveMs, keepaliveTimeoutMs }: ConnectionOptions,
): void {
  const timer = setInterval(() => {
    if (session.closed || session.destroyed) return;
    const silent = setTimeout(
      () => session.destroy(new Error('the peer does not answer')),
      keepaliveTimeoutMs,
    );
    silent.unref();
    session.ping(() => clearTimeout(silent));
  }, keepaliveMs);
  timer.unref();
  session.once('close', () => clearInterval(timer));
}
