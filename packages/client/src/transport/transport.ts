// Requests over the network: credentials, deadlines, limits and retries. Independent of verbs and resources.

import { type Clock, REAL_CLOCK, sleep } from '@instar/serving';
import type { Dispatcher } from 'undici';
import type { Credential } from '../auth/credential.ts';
import { credentialOf } from '../auth/credential-of.ts';
import { impersonationHeaders } from '../auth/impersonation-headers.ts';
import { ConnectionError } from '../connection-error.ts';
import type { Query, RawAnswer, RawRequest } from '../kube-api.ts';
import type { ClusterAccess } from '../kubeconfig/cluster-access.ts';
import { connectionErrorOf } from './connection-error-of.ts';
import { Connections } from './connections.ts';
import { type RequestDeadline, startDeadline } from './deadline.ts';
import { mayRepeat, type RetryBounds, waitBeforeRetry } from './retry.ts';
import { warningsOf } from './warnings.ts';

/** Timeouts, retries and limits of a client. */
export interface TransportOptions {
  readonly userAgent?: string;
  /** For one attempt of one request; 30 s. */
  readonly timeoutMs?: number;
  /** The longest answer, and the longest event of a watch; 256 MiB. */
  readonly maxBodyBytes?: number;
  /** Default 5. */
  readonly maxRetries?: number;
  /** The longest Retry-After that is waited for; 30 s. */
  readonly maxRetryAfterMs?: number;
  /** Connections for calls; watches have their own. 16. */
  readonly connections?: number;
  readonly onWarning?: (text: string) => void;
  readonly clock?: Clock;
}

/** An answer whose body has not been read yet. */
export interface OpenAnswer {
  readonly status: number;
  readonly headers: RawAnswer['headers'];
  readonly body: AsyncIterable<Uint8Array>;
  /** Cancels the timeout, so that the body may take any time. */
  stopClock(): void;
  end(): void;
}

export class Transport {
  readonly server: string;
  readonly maxBodyBytes: number;
  readonly #credential: Credential;
  readonly #connections: Connections;
  readonly #headers: readonly string[];
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #bounds: RetryBounds;
  readonly #onWarning: ((text: string) => void) | undefined;

  constructor(access: ClusterAccess, options: TransportOptions = {}) {
    this.server = access.server;
    this.maxBodyBytes = options.maxBodyBytes ?? 256 << 20;
    this.#clock = options.clock ?? REAL_CLOCK;
    this.#credential = credentialOf(access, this.#clock);
    this.#connections = new Connections(access, this.#credential, this.#clock, options.connections ?? 16);
    this.#headers = [
      'user-agent',
      options.userAgent ?? `instar (${process.platform}/${process.arch})`,
      ...impersonationHeaders(access.impersonate),
    ];
    this.#timeoutMs = options.timeoutMs ?? 30_000;
    this.#bounds = {
      maxRetries: options.maxRetries ?? 5,
      maxRetryAfterMs: options.maxRetryAfterMs ?? 30_000,
    };
    this.#onWarning = options.onWarning;
  }

  request(request: RawRequest): Promise<RawAnswer> {
    return this.#retrying(request, async () => this.#whole(await this.#open(request, 'calls')));
  }

  /** A success is returned with its body unread; anything else is read whole, as by `request`. */
  async stream(request: RawRequest): Promise<OpenAnswer | RawAnswer> {
    return this.#retrying<OpenAnswer | RawAnswer>(request, async () => {
      const answer = await this.#open(request, 'watches');
      return answer.status < 300 ? answer : this.#whole(answer);
    });
  }

  close(): Promise<void> {
    return this.#connections.close();
  }

  async #retrying<T extends { readonly status: number }>(
    request: RawRequest,
    send: () => Promise<T>,
  ): Promise<T> {
    let refreshed = false;
    for (let attempt = 0; ; attempt++) {
      const answer = await this.#attempt(request, attempt, send);
      if (answer === undefined) continue;
      if (answer.status === 401 && !refreshed && this.#credential.expire()) {
        refreshed = true;
        continue;
      }
      const wait =
        answer.status < 300
          ? undefined
          : waitBeforeRetry(answer as unknown as RawAnswer, attempt, this.#bounds);
      if (wait === undefined) return answer;
      await sleep(this.#clock, wait, request.signal);
    }
  }

  /** Undefined if it failed and may be retried. */
  async #attempt<T>(request: RawRequest, attempt: number, send: () => Promise<T>): Promise<T | undefined> {
    try {
      return await send();
    } catch (error) {
      if (mayRepeat(error, request.method, attempt, this.#bounds)) return undefined;
      throw error;
    }
  }

  async #open(request: RawRequest, pool: 'calls' | 'watches'): Promise<OpenAnswer> {
    request.signal?.throwIfAborted();
    const authorization = await this.#credential.authorization();
    const dispatcher = await this.#connections.dispatcher(pool);
    const url = new URL(this.server + request.path);
    const timeoutMs = request.timeoutMs ?? this.#timeoutMs;
    const deadline = startDeadline(timeoutMs, request.signal);
    try {
      const answer = await dispatcher.request({
        origin: url.origin,
        path: url.pathname + searchOf(url, request.query),
        method: request.method as Dispatcher.HttpMethod,
        headers: this.#headersOf(request, authorization),
        body: request.body ?? null,
        signal: deadline.signal,
      });
      for (const warning of this.#onWarning === undefined ? [] : warningsOf(answer.headers['warning']))
        this.#onWarning?.(warning);
      return this.#answerOf(answer, deadline, request, timeoutMs);
    } catch (error) {
      deadline.end();
      throw this.#reasonOf(error, deadline, request, timeoutMs);
    }
  }

  #answerOf(
    answer: Dispatcher.ResponseData,
    deadline: RequestDeadline,
    request: RawRequest,
    timeoutMs: number,
  ): OpenAnswer {
    const reasonOf = (error: unknown): unknown => this.#reasonOf(error, deadline, request, timeoutMs);
    async function* chunks(): AsyncGenerator<Uint8Array> {
      try {
        for await (const chunk of answer.body) yield chunk as Uint8Array;
      } catch (error) {
        throw reasonOf(error);
      }
    }
    const end = (): void => {
      deadline.end();
      // The rest of the body is discarded, with the error that destroying it causes.
      answer.body.on('error', () => undefined).destroy();
    };
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: chunks(),
      stopClock: deadline.stopClock,
      end,
    };
  }

  async #whole(answer: OpenAnswer): Promise<RawAnswer> {
    const chunks: Uint8Array[] = [];
    let length = 0;
    try {
      for await (const chunk of answer.body) {
        length += chunk.length;
        if (length > this.maxBodyBytes)
          throw new ConnectionError(
            'too-large',
            `the answer of ${this.server} has more than ${this.maxBodyBytes} bytes`,
          );
        chunks.push(chunk);
      }
    } finally {
      answer.end();
    }
    return {
      status: answer.status,
      headers: answer.headers,
      body: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks),
    };
  }

  #headersOf(request: RawRequest, authorization: string | undefined): string[] {
    const headers = [...this.#headers];
    if (authorization !== undefined) headers.push('authorization', authorization);
    for (const [name, value] of Object.entries(request.headers ?? {})) headers.push(name, value);
    return headers;
  }

  #reasonOf(
    error: unknown,
    deadline: RequestDeadline,
    { method, path, signal }: RawRequest,
    timeoutMs: number,
  ): unknown {
    if (signal?.aborted) return signal.reason;
    if (deadline.timedOut())
      return new ConnectionError(
        'timeout',
        `${this.server} did not answer ${method} ${path} in ${timeoutMs} ms`,
      );
    return connectionErrorOf(error, this.server);
  }
}

function searchOf(url: URL, query: Query = {}): string {
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, String(value));
  return url.search;
}
