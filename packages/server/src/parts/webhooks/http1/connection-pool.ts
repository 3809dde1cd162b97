// A bounded number of connections to one place. Those that are open are used first; those that nobody uses
// are closed after a while.
import type { ConnectionOptions } from 'node:tls';
import { type Attempt, Attempts } from './attempts.ts';
import { BrokenConnection, Connection, type Request } from './connection.ts';
import type { Response } from './response-reader.ts';

export interface PoolOptions {
  readonly connections: number;
  readonly connectTimeoutMs: number;
  /** For so long a connection is kept that nobody uses. */
  readonly idleMs: number;
  /** Where to connect to; asked for every connection. */
  target(): Promise<ConnectionOptions> | ConnectionOptions;
}

/** A request on its way: it waits for a connection, then for its response. */
class Sent {
  readonly request: Request;
  /** Those that came later have greater ones. */
  readonly number: number;
  readonly response: Promise<Response>;
  connection: Connection | undefined;
  /** Some connection has carried it, whatever came of that. */
  wasCarried = false;
  isOver = false;
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

  /** True if the head of the response has come, and its end has not. */
  get hasHead(): boolean {
    return this.connection?.hasHead === true;
  }

  resolve(response: Response): void {
    this.isOver = true;
    this.#resolve(response);
  }

  reject(error: unknown): void {
    this.isOver = true;
    this.#reject(error);
  }
}

export type { Sent };

export class ConnectionPool {
  readonly #options: PoolOptions;
  /** For a connection, in order. Whoever calls webhooks bounds how many calls are under way. */
  readonly #waiting: Sent[] = [];
  readonly #attempts = new Attempts();
  readonly #connecting = new Set<Connection>();
  readonly #open = new Set<Connection>();
  /** The one that was used last comes last, and is used next. */
  readonly #idle: { readonly connection: Connection; readonly since: number }[] = [];
  /** Those for which another connection is being made. */
  readonly #again = new Set<Sent>();
  #newest = 0;
  #isClosing = false;
  #sweeping: NodeJS.Timeout | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  send(request: Request): Sent {
    const sent = new Sent(request, ++this.#newest);
    this.#waiting.push(sent);
    this.#advance();
    return sent;
  }

  /** Nobody waits for the response any more: it rejects with this error. */
  cancel(sent: Sent, error: Error): void {
    sent.reject(error);
    sent.connection?.close(error);
    const place = this.#waiting.indexOf(sent);
    if (place < 0) return;
    this.#waiting.splice(place, 1);
    this.#attempts.disappoint(sent.number);
    this.#advance();
  }

  /** What was sent is finished first. */
  close(): void {
    this.#isClosing = true;
    clearTimeout(this.#sweeping);
    for (const { connection } of this.#idle.splice(0)) connection.close();
  }

  /** What was sent rejects. */
  destroy(error: Error): void {
    this.close();
    for (const sent of [...this.#waiting.splice(0), ...this.#again]) sent.reject(error);
    for (const connection of [...this.#connecting, ...this.#open]) connection.close(error);
  }

  #advance(): void {
    while (this.#waiting.length > 0) {
      const connection = this.#takeIdle();
      if (connection === undefined) break;
      void this.#carry(this.#waiting.shift()!, connection);
    }
    while (this.#attempts.countedOn < this.#waiting.length && (this.#hasRoom() || this.#attempts.closeOne()))
      void this.#connect();
  }

  #hasRoom(): boolean {
    return this.#attempts.size + this.#open.size < this.#options.connections;
  }

  #takeIdle(): Connection | undefined {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (idle.connection.usableUntil > performance.now()) return idle.connection;
      idle.connection.close();
    }
    return undefined;
  }

  /**
   * Whoever has waited longest is told if there is no connection to be had: what is wrong is mostly wrong for
   * all of them. Not so those that came after it was begun, of which it says less the longer it took: another
   * one is begun for them.
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
      if (attempt.isCountedOn && first !== undefined && first.number <= attempt.newest)
        this.#waiting.shift()!.reject(error);
      this.#advance();
    }
  }

  async #newConnection(attempt?: Attempt): Promise<Connection> {
    const target = await this.#options.target();
    if (attempt?.isClosed) throw new Error('closed before it was begun');
    const { connection, opened } = Connection.open(target, this.#options.connectTimeoutMs, (ended) =>
      this.#forget(ended),
    );
    if (attempt !== undefined) attempt.connection = connection;
    this.#connecting.add(connection);
    await opened.finally(() => this.#connecting.delete(connection));
    this.#open.add(connection);
    return connection;
  }

  async #carry(sent: Sent, connection: Connection): Promise<void> {
    sent.connection = connection;
    sent.wasCarried = true;
    connection.holdProcess(true);
    const isKept = connection.hasCarried;
    try {
      sent.resolve(await connection.send(sent.request));
    } catch (error) {
      if (isKept && !sent.isOver && error instanceof BrokenConnection) await this.#carryAnew(sent);
      else sent.reject(error);
    }
    sent.connection = undefined;
    this.#release(connection);
  }

  /**
   * A connection that was kept from an earlier request broke before anything was answered, as happens when
   * the webhook closes it at that moment. Another one that was kept may do the same, a new one does not.
   */
  async #carryAnew(sent: Sent): Promise<void> {
    this.#again.add(sent);
    try {
      const connection = await this.#newConnection();
      this.#again.delete(sent);
      if (sent.isOver) this.#release(connection);
      else await this.#carry(sent, connection);
    } catch (error) {
      this.#again.delete(sent);
      sent.reject(error);
    }
  }

  #release(connection: Connection): void {
    // Connections that took the place of broken ones may be more than there should be.
    if (connection.usableUntil > performance.now() && this.#open.size <= this.#options.connections) {
      connection.holdProcess(false);
      this.#idle.push({ connection, since: performance.now() });
    } else connection.close();
    this.#advance();
    if (this.#isClosing && this.#waiting.length === 0) this.close();
    else this.#sweepLater();
  }

  /** It has ended by itself, or was closed. */
  #forget(connection: Connection): void {
    this.#open.delete(connection);
    const place = this.#idle.findIndex((idle) => idle.connection === connection);
    if (place >= 0) this.#idle.splice(place, 1);
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
