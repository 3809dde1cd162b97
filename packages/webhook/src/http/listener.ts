// The listener of the host: exchanges of both protocols go to one handler.
import type { SecureContextOptions } from 'node:tls';
import { type Exchange, type Log, TlsListener } from '@instar/serving';

export interface ListenerOptions {
  readonly handle: (exchange: Exchange) => void;
  /** Undefined: every address. */
  readonly host: string | undefined;
  readonly port: number;
  readonly tls: SecureContextOptions;
  /** Requested and verified, but not required: that is decided by path. */
  readonly askForClientCertificate: boolean;
  readonly maxStreams: number;
  readonly log: Log;
}

/** Longer than API servers keep idle connections. */
const KEEP_ALIVE_MS = 120_000;
const REQUEST_TIMEOUT_MS = 60_000;
const MAX_HEADER_BYTES = 16 * 1024;
const STREAM_WINDOW_BYTES = 1024 * 1024;
const SESSION_WINDOW_BYTES = 8 * 1024 * 1024;

export function openListener(options: ListenerOptions): Promise<TlsListener> {
  const { handle, maxStreams, ...rest } = options;
  return TlsListener.open({
    ...rest,
    keepAliveMs: KEEP_ALIVE_MS,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    maxHeaderBytes: MAX_HEADER_BYTES,
    http2: {
      maxSessionMemory: 256,
      settings: { maxConcurrentStreams: maxStreams, initialWindowSize: STREAM_WINDOW_BYTES },
    },
    // The rest of the body could not be distinguished from the next request.
    closesUnread: true,
    onExchange: handle,
    onSession: (session) => session.setLocalWindowSize(SESSION_WINDOW_BYTES),
  });
}
