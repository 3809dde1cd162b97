// The host's port: exchanges of both protocols go to one handler.
import type { SecureContextOptions } from 'node:tls';
import { type Log, TlsListener } from '@instar/serving';
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

/** Longer than the idle time of API servers. */
const KEEP_ALIVE_MS = 120_000;
const REQUEST_TIMEOUT_MS = 60_000;
const MAX_HEADER_BYTES = 16 * 1024;
const STREAM_WINDOW_BYTES = 1024 * 1024;
const SESSION_WINDOW_BYTES = 8 * 1024 * 1024;

export async function openListener(options: ListenerOptions): Promise<TlsListener> {
  const { handle, maxStreams, ...rest } = options;
  const listener: TlsListener = await TlsListener.open({
    ...rest,
    keepAliveMs: KEEP_ALIVE_MS,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    maxHeaderBytes: MAX_HEADER_BYTES,
    http2: {
      maxSessionMemory: 256,
      settings: { maxConcurrentStreams: maxStreams, initialWindowSize: STREAM_WINDOW_BYTES },
    },
    onRequest: (message, out) => handle(new Http1Exchange(message, out, () => listener.isClosing)),
    onStream: (stream, headers) => handle(new Http2Exchange(stream, headers)),
    onSession: (session) => session.setLocalWindowSize(SESSION_WINDOW_BYTES),
  });
  return listener;
}
