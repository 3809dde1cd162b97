// Calls to a group of equivalent servers: over one connection at a time, and over one to another server when
// it fails. It retries nothing by itself: only the caller knows what may be done twice.
import { once } from 'node:events';
import type { ClientHttp2Session } from 'node:http2';
import { Call, type CallEvents } from './call.ts';
import { type ConnectionOptions, openConnection } from './connection.ts';
import { GRPC, GrpcError } from './status.ts';

export interface ChannelOptions extends ConnectionOptions {
  /** "host:port" or "unix:PATH" each. */
  readonly endpoints: readonly string[];
}

const MAX_PAUSE_MS = 500;
/** A server is not left for being slow before this time. */
const REST_MS = 5_000;
/** How long requests in flight may continue with a server that is left. */
const LEAVE_MS = 15_000;

export class Channel {
  readonly #options: ChannelOptions;
  /** Sent along with every call. */
  readonly metadata: Record<string, string> = {};
  readonly #streams = new WeakMap<ClientHttp2Session, Set<Call>>();
  #next: number;
  #session: ClientHttp2Session | undefined;
  #opening: Promise<ClientHttp2Session> | undefined;
  #pauseMs = 0;
  #avoidedAt = 0;
  /** Of the last connection that failed. */
  #why = '';
  #closed = false;

  constructor(options: ChannelOptions) {
    this.#options = options;
    // Clients start at different endpoints, so that not all of them use the first.
    this.#next = Math.floor(Math.random() * options.endpoints.length);
  }

  /**
   * One request, one answer. A server that does not answer in time is avoided from then on, even if it may
   * still answer this request.
   */
  async unary(
    path: string,
    message: Uint8Array,
    timeoutMs: number,
    hedgeAfterMs = timeoutMs,
  ): Promise<Buffer> {
    const session = await this.#connected(timeoutMs);
    return new Promise((resolve, reject) => {
      let answer: Buffer | undefined;
      const timer = setTimeout(() => {
        call.cancel(new GrpcError(GRPC.deadlineExceeded, `no answer within ${timeoutMs} ms`));
        this.#avoidSlow(session);
      }, timeoutMs);
      const impatience =
        hedgeAfterMs < timeoutMs ? setTimeout(() => this.#avoidSlow(session), hedgeAfterMs) : undefined;
      const call = new Call(
        session,
        path,
        { ...this.metadata, 'grpc-timeout': `${Math.ceil(timeoutMs)}m` },
        {
          onMessage: (received) => (answer = received),
          onEnd: (error) => {
            clearTimeout(timer);
            clearTimeout(impatience);
            if (error === undefined && answer !== undefined) return resolve(answer);
            if (error !== undefined && meansUnfit(error)) this.#avoid(session);
            reject(error ?? new GrpcError(GRPC.internal, 'the server answered with no message'));
          },
        },
      );
      call.send(message, true);
    });
  }

  /** Messages in both directions until one side ends it. */
  async stream(path: string, events: CallEvents, timeoutMs: number): Promise<Call> {
    const session = await this.#connected(timeoutMs);
    const call = new Call(session, path, this.metadata, {
      onMessage: events.onMessage,
      onEnd: (error) => {
        this.#streams.get(session)?.delete(call);
        if (error !== undefined && meansUnfit(error)) this.#avoid(session);
        events.onEnd(error);
      },
    });
    this.#streams.get(session)?.add(call);
    return call;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const session = this.#session ?? (await this.#opening?.catch(() => undefined));
    if (session === undefined || session.destroyed) return;
    session.destroy();
    await once(session, 'close').catch(() => undefined);
  }

  /** If all servers are slow, switching between them makes it worse. */
  #avoidSlow(session: ClientHttp2Session): void {
    if (Date.now() - this.#avoidedAt >= REST_MS) this.#avoid(session);
  }

  /**
   * This server does not answer, or cannot serve: the next call goes to another, if there is one. Requests in
   * flight may still be answered; streams must not stay with a server that may be partitioned.
   */
  #avoid(session: ClientHttp2Session): void {
    if (this.#session !== session) return;
    this.#session = undefined;
    this.#avoidedAt = Date.now();
    for (const call of this.#streams.get(session) ?? [])
      call.cancel(new GrpcError(GRPC.unavailable, 'the connection is abandoned'));
    session.close();
    // A silent server does not even close the connection.
    setTimeout(() => session.destroy(), LEAVE_MS).unref();
  }

  async #connected(timeoutMs: number): Promise<ClientHttp2Session> {
    if (this.#session !== undefined && !this.#session.closed && !this.#session.destroyed)
      return this.#session;
    this.#opening ??= this.#open().finally(() => (this.#opening = undefined));
    return withinTime(this.#opening, timeoutMs, () => this.#why);
  }

  /** Tries every endpoint once; pauses first if the last round found none. */
  async #open(): Promise<ClientHttp2Session> {
    if (this.#pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, this.#pauseMs).unref());
    const { endpoints } = this.#options;
    let failure: unknown;
    for (let tried = 0; tried < endpoints.length && !this.#closed; tried++) {
      const endpoint = endpoints[this.#next++ % endpoints.length]!;
      try {
        return this.#adopt(await openConnection(endpoint, this.#options));
      } catch (error) {
        failure = error;
        this.#why = (error as Error).message;
      }
    }
    this.#pauseMs = Math.min(this.#pauseMs * 2 + 20, MAX_PAUSE_MS);
    throw this.#closed ? new GrpcError(GRPC.cancelled, 'the channel is closed', { unsent: true }) : failure;
  }

  #adopt(session: ClientHttp2Session): ClientHttp2Session {
    this.#pauseMs = 0;
    if (this.#closed) session.destroy();
    this.#session = session;
    this.#streams.set(session, new Set());
    session.on('goaway', () => this.#forget(session));
    session.once('close', () => this.#forget(session));
    return session;
  }

  #forget(session: ClientHttp2Session): void {
    if (this.#session === session) this.#session = undefined;
  }
}

/** The server says that it cannot serve now. */
const meansUnfit = ({ code, message }: GrpcError): boolean =>
  code === GRPC.unavailable &&
  /no leader|server stopped|request timed out|connection lost|not capable/.test(message);

async function withinTime<T>(work: Promise<T>, timeoutMs: number, why: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    const fail = (): void =>
      reject(
        new GrpcError(GRPC.unavailable, `no server was reachable in time: ${why() || 'none answers'}`, {
          unsent: true,
        }),
      );
    timer = setTimeout(fail, timeoutMs);
  });
  return Promise.race([work, tooLate]).finally(() => clearTimeout(timer));
}
