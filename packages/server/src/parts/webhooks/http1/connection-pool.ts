// A limited number of connections to one address. Open ones are used first; idle ones are closed after a
// while.
import type { ConnectionOptions } from 'node:tls';
import { type Attempt, Attempts } from './attempts.ts';
import { BrokenConnection, Connection, type Request } from './connection.ts';
import type { Response } from './response-reader.ts';

export interface PoolOptions {
  readonly maxConnections: number;
  readonly connectTimeoutMs: number;
  /** How long an idle connection stays open. */
  readonly idleMs: number;
  /** Where to connect to; called for every connection. */
  target(): Promise<ConnectionOptions> | ConnectionOptions;
}

/** A request that waits for a connection, then for its response. */
class PendingRequest {
  readonly request: Request;
  /** Later requests have greater numbers. */
  readonly number: number;
  readonly response: Promise<Response>;
  connection: Connection | undefined;
  /** True if it was sent over some connection, even without success. */
  wasSent = false;
  isSettled = false;
  #resolve!: (response: Response) => void;
  #reject!: (error: unknown) => void;

  constructor(request: Request, number: number) {
    this.request = request;
    this.number = number;
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** True if the head of the response has been received, and its end has not. */
  get hasHead(): boolean {
    return this.connection?.hasHead === true;
  }

  resolve(response: Response): void {
    this.isSettled = true;
    this.#resolve(response);
  }

  reject(error: unknown): void {
    this.isSettled = true;
    this.#reject(error);
  }
}

export type { PendingRequest };

export class ConnectionPool {
  readonly #options: PoolOptions;
  /** Requests that wait for a connection, in order. The callers limit how many calls are in flight. */
  readonly #waiting: PendingRequest[] = [];
  readonly #attempts = new Attempts();
  readonly #connecting = new Set<Connection>();
  readonly #open = new Set<Connection>();
  /** The most recently used one is last, and is used next. */
  readonly #idle: { readonly connection: Connection; readonly since: number }[] = [];
  /** Requests for which another connection is being made. */
  readonly #retrying = new Set<PendingRequest>();
  #newest = 0;
  #isClosing = false;
  #sweeping: NodeJS.Timeout | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  send(request: Request): PendingRequest {
    const pending = new PendingRequest(request, ++this.#newest);
    this.#waiting.push(pending);
    this.#advance();
    return pending;
  }

  /** Aborts the request: its response rejects with this error. */
  abort(pending: PendingRequest, error: Error): void {
    pending.reject(error);
    pending.connection?.close(error);
    const index = this.#waiting.indexOf(pending);
    if (index < 0) return;
    this.#waiting.splice(index, 1);
    this.#attempts.abandonUpTo(pending.number);
    this.#advance();
  }

  /** Requests in flight are finished first. */
  close(): void {
    this.#isClosing = true;
    clearTimeout(this.#sweeping);
    for (const { connection } of this.#idle.splice(0)) connection.close();
  }

  /** Requests in flight reject. */
  destroy(error: Error): void {
    this.close();
    for (const pending of [...this.#waiting.splice(0), ...this.#retrying]) pending.reject(error);
    for (const connection of [...this.#connecting, ...this.#open]) connection.close(error);
  }

  #advance(): void {
    while (this.#waiting.length > 0) {
      const connection = this.#takeIdle();
      if (connection === undefined) break;
      void this.#sendOver(connection, this.#waiting.shift()!);
    }
    while (
      this.#attempts.waitedFor < this.#waiting.length &&
      (this.#hasCapacity() || this.#attempts.closeAbandoned())
    )
      void this.#connect();
  }

  #hasCapacity(): boolean {
    return this.#attempts.size + this.#open.size < this.#options.maxConnections;
  }

  #takeIdle(): Connection | undefined {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (idle.connection.usableUntil > performance.now()) return idle.connection;
      idle.connection.close();
    }
    return undefined;
  }

  /**
   * If the attempt fails, the request that has waited longest gets the error: the cause mostly affects all of
   * them. Requests that came after the attempt began do not get it, since it may be out of date: another
   * attempt is begun for them.
   */
  async #connect(): Promise<void> {
    const attempt = this.#attempts.begin(this.#newest);
    try {
      const connection = await this.#newConnection(attempt);
      this.#attempts.end(attempt);
      this.#release(connection);
    } catch (error) {
      this.#attempts.end(attempt);
      const [first] = this.#waiting;
      if (!attempt.isAbandoned && first !== undefined && first.number <= attempt.newest)
        this.#waiting.shift()!.reject(error);
      this.#advance();
    }
  }

  async #newConnection(attempt?: Attempt): Promise<Connection> {
    const target = await this.#options.target();
    if (attempt?.isClosed) throw new Error('closed before it was opened');
    const { connection, opened } = Connection.open(target, this.#options.connectTimeoutMs, (ended) =>
      this.#remove(ended),
    );
    if (attempt !== undefined) attempt.connection = connection;
    this.#connecting.add(connection);
    await opened.finally(() => this.#connecting.delete(connection));
    this.#open.add(connection);
    return connection;
  }

  async #sendOver(connection: Connection, pending: PendingRequest): Promise<void> {
    pending.connection = connection;
    pending.wasSent = true;
    connection.holdProcess(true);
    const wasUsed = connection.wasUsed;
    try {
      pending.resolve(await connection.send(pending.request));
    } catch (error) {
      if (wasUsed && !pending.isSettled && error instanceof BrokenConnection)
        await this.#sendOverNew(pending);
      else pending.reject(error);
    }
    pending.connection = undefined;
    this.#release(connection);
  }

  /**
   * A reused connection broke before anything was answered, as happens if the webhook closes it at that
   * moment. Another reused one may break too, a new one does not.
   */
  async #sendOverNew(pending: PendingRequest): Promise<void> {
    this.#retrying.add(pending);
    try {
      const connection = await this.#newConnection();
      this.#retrying.delete(pending);
      if (pending.isSettled) this.#release(connection);
      else await this.#sendOver(connection, pending);
    } catch (error) {
      this.#retrying.delete(pending);
      pending.reject(error);
    }
  }

  #release(connection: Connection): void {
    // Connections that replaced broken ones may exceed the limit.
    if (connection.usableUntil > performance.now() && this.#open.size <= this.#options.maxConnections) {
      connection.holdProcess(false);
      this.#idle.push({ connection, since: performance.now() });
    } else connection.close();
    this.#advance();
    if (this.#isClosing && this.#waiting.length === 0) this.close();
    else this.#sweepLater();
  }

  /** Called when a connection has ended or was closed. */
  #remove(connection: Connection): void {
    this.#open.delete(connection);
    const index = this.#idle.findIndex((idle) => idle.connection === connection);
    if (index >= 0) this.#idle.splice(index, 1);
    this.#advance();
  }

  #sweepLater(): void {
    if (this.#sweeping !== undefined || this.#idle.length === 0) return;
    this.#sweeping = setTimeout(() => {
      this.#sweeping = undefined;
      const before = performance.now() - this.#options.idleMs;
      for (const { connection, since } of [...this.#idle]) {
        if (since <= before || connection.usableUntil <= performance.now()) connection.close();
      }
      this.#sweepLater();
    }, this.#options.idleMs / 2).unref();
  }
}
