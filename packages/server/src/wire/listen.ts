// The server's port: requests of both protocols go to one handler, and open streams (watches) are ended
// before it closes.
import type { SecureContext, SecureContextOptions } from 'node:tls';
import { type Exchange, type Log, TlsListener } from '@instar/serving';
import type { Handler } from './exchange.ts';
import { OpenStreams } from './open-streams.ts';
import { serveExchange, type Transport } from './serve-exchange.ts';

interface ListenOptions {
  readonly handler: Handler;
  readonly address: string;
  /** 0 picks one. */
  readonly port: number;
  readonly tls: SecureContextOptions;
  readonly contextFor?: ((name: string) => SecureContext | undefined) | undefined;
  readonly maxBodyBytes: number;
  /** Within this time a whole request must have arrived over HTTP/1. */
  readonly requestTimeoutMs: number;
  readonly log: Log;
}

interface Listener {
  readonly address: string;
  readonly port: number;
  readonly openStreams: number;
  /** New connections get these certificates; existing ones are not affected. */
  setSecureContext(tls: SecureContextOptions): void;
  /** Ends watches, waits at most this long for requests in flight, then closes every connection. */
  close(graceMs: number): Promise<void>;
}

const MAX_HEADER_BYTES = 64 * 1024;
/** Longer than the idle time of common clients and load balancers. */
const KEEP_ALIVE_MS = 90_000;
/** Many watches share one connection. */
const HTTP2 = {
  maxSessionMemory: 1024,
  settings: { maxConcurrentStreams: 10_000, initialWindowSize: 256 * 1024 },
};

export async function listen(options: ListenOptions): Promise<Listener> {
  const transport = new ServerTransport(options);
  const listener = await TlsListener.open({
    host: options.address,
    port: options.port,
    tls: options.tls,
    contextFor: options.contextFor,
    // Clients may authenticate with tokens instead.
    askForClientCertificate: true,
    keepAliveMs: KEEP_ALIVE_MS,
    requestTimeoutMs: options.requestTimeoutMs,
    maxHeaderBytes: MAX_HEADER_BYTES,
    http2: HTTP2,
    closesUnread: false,
    allowsUpgrades: true,
    onExchange: (exchange) => serveExchange(transport, exchange),
    log: options.log,
  });
  const { address, port } = listener.address;
  return {
    address,
    port,
    get openStreams() {
      return transport.streams.size;
    },
    setSecureContext: (tls) => listener.setSecureContext(tls),
    close(graceMs) {
      transport.streams.endAll();
      return listener.close(graceMs);
    },
  };
}

class ServerTransport implements Transport {
  readonly handle: Handler;
  readonly maxBodyBytes: number;
  readonly streams = new OpenStreams();
  readonly #log: Log;

  constructor({ handler, maxBodyBytes, log }: ListenOptions) {
    this.handle = handler;
    this.maxBodyBytes = maxBodyBytes;
    this.#log = log;
  }

  onBug(exchange: Exchange, error: unknown): void {
    this.#log.error({ err: error }, 'a response could not be written');
    exchange.out.destroy();
  }
}
