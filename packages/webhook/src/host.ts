// The life of a host, from opening its port to closing it. Reviews are answered by the handlers.
import { setTimeout as sleep } from 'node:timers/promises';
import type { SecureContextOptions } from 'node:tls';
import {
  type Exchange,
  inUrl,
  type Log,
  type MetricsRegistry,
  reachableAddress,
  type TlsListener,
} from '@instar/serving';
import { type HostAnswer, sendAnswer, textAnswer } from './http/answer.ts';
import { type HealthSources, healthAnswer } from './http/health.ts';
import type { InFlight } from './http/in-flight.ts';
import { openListener } from './http/listener.ts';
import type { ReviewHandler } from './http/review-handler.ts';
import type { HostMetrics } from './metrics.ts';
import type { HostLimits, WebhookHost } from './options.ts';
import type { ClientCa } from './tls/client-ca.ts';
import type { TlsSource } from './tls/tls-source.ts';

export interface HostParts {
  readonly handlers: ReadonlyMap<string, ReviewHandler>;
  readonly source: TlsSource;
  readonly clientCa: ClientCa;
  readonly inFlight: InFlight;
  readonly metrics: HostMetrics;
  readonly registry: MetricsRegistry;
  readonly processMetrics: { stop(): void } | undefined;
  readonly limits: HostLimits;
  readonly log: Log;
}

export class Host implements WebhookHost {
  readonly #parts: HostParts;
  readonly #health: HealthSources;
  /** Set by `open`; still readable after `close`. */
  url = '';
  port = 0;
  #listener: TlsListener | undefined;
  #closed: Promise<void> | undefined;

  constructor(parts: HostParts) {
    this.#parts = parts;
    this.#health = { notReady: () => this.#notReady(), metrics: parts.registry };
  }

  async open(host: string | undefined, port: number): Promise<void> {
    const { source, clientCa, log, limits } = this.#parts;
    this.#listener = await openListener({
      handle: (exchange) => this.#handle(exchange),
      host,
      port,
      tls: this.#context(),
      askForClientCertificate: clientCa.current !== undefined,
      maxStreams: limits.maxInFlight,
      log,
    });
    const { address, port: opened } = this.#listener.address;
    this.port = opened;
    this.url = `https://${inUrl(reachableAddress(address))}:${opened}`;
    this.#noteExpiry();
    source.start(() => this.#renewContext());
    clientCa.start(() => this.#renewContext());
  }

  get metrics(): MetricsRegistry {
    return this.#parts.registry;
  }

  get caBundle(): string {
    return this.#parts.source.current.caBundle;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const { source, clientCa, inFlight, processMetrics, limits } = this.#parts;
    if (limits.lameDuckMs > 0) await sleep(limits.lameDuckMs);
    source.stop();
    clientCa.stop();
    await this.#listener!.close(limits.shutdownMs);
    inFlight.stop();
    processMetrics?.stop();
  }

  #context(): SecureContextOptions {
    const { source, clientCa } = this.#parts;
    return clientCa.current === undefined
      ? source.current.context
      : { ...source.current.context, ca: clientCa.current };
  }

  #renewContext(): void {
    this.#listener!.setSecureContext(this.#context());
    this.#noteExpiry();
  }

  #noteExpiry(): void {
    const { metrics, source } = this.#parts;
    const { serving, ca } = source.current.expires;
    metrics.expires('serving', serving);
    if (ca !== undefined) metrics.expires('ca', ca);
  }

  #handle(exchange: Exchange): void {
    const { url, method } = exchange;
    const question = url.indexOf('?');
    const path = question < 0 ? url : url.slice(0, question);
    const handler = this.#parts.handlers.get(path);
    if (handler !== undefined) handler(exchange, question < 0 ? '' : url.slice(question + 1));
    else sendAnswer(exchange, this.#answerOutsideWebhooks(method, path));
  }

  #answerOutsideWebhooks(method: string, path: string): HostAnswer {
    const health = method === 'GET' || method === 'HEAD' ? healthAnswer(path, this.#health) : undefined;
    return health ?? textAnswer(404, `there is no webhook at ${path}\n`);
  }

  #notReady(): string | undefined {
    return this.#closed === undefined ? this.#parts.source.notReady() : 'shutting down';
  }
}
