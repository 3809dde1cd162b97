// One TLS connection that handles one request at a time. It reads into one buffer, which is reused, and
// writes from another: Node would otherwise allocate a buffer for every few kilobytes, and collecting these
// cost more than all that is done with a response.
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import type { SpareMemory } from '@instar/serving';
import { type Response, ResponseReader } from './response-reader.ts';

const READ_BYTES = 64 * 1024;
/** Larger requests get their own memory. */
const MAX_REUSED_REQUEST_BYTES = 1024 * 1024;

export interface Request {
  /** The head without the length of the body. */
  readonly head: string;
  readonly pieces: readonly (string | Uint8Array)[];
  readonly maxAnswerBytes: number;
  /** For the answer. */
  readonly memory: SpareMemory;
}

/** The connection ended before any part of a response was received. */
export class BrokenConnection extends Error {
  override readonly name = 'BrokenConnection';
  readonly code: string;

  constructor(cause: NodeJS.ErrnoException | undefined) {
    super(cause?.message ?? 'EOF', { cause });
    this.code = cause?.code ?? 'EOF';
  }
}

/** It ended within a response: the webhook has seen the request, which must not be sent again. */
export class UnfinishedAnswer extends Error {
  override readonly name = 'UnfinishedAnswer';
  readonly code: string;

  constructor(cause: NodeJS.ErrnoException | undefined) {
    super(cause?.message ?? 'unexpected EOF', { cause });
    this.code = cause?.code ?? 'EOF';
  }
}

interface Exchange {
  readonly reader: ResponseReader;
  /** Some part of a response has been received. */
  hasBegun: boolean;
  resolve(response: Response): void;
  reject(error: Error): void;
}

export class Connection {
  readonly #socket: TLSSocket;
  #exchange: Exchange | undefined;
  #isWriting = false;
  #request = Buffer.alloc(0);
  /** Set by `close`: the response is invalid, or the request was aborted. */
  #refusal: Error | undefined;
  #error: Error | undefined;
  #usableUntil = 0;
  #wasUsed = false;

  private constructor(socket: TLSSocket) {
    this.#socket = socket;
  }

  /** `opened` resolves when it can be used. `onClose` is called when it has ended, for whatever reason. */
  static open(
    options: ConnectionOptions,
    timeoutMs: number,
    onClose: (connection: Connection) => void,
  ): { readonly connection: Connection; readonly opened: Promise<void> } {
    const onread = {
      buffer: Buffer.allocUnsafeSlow(READ_BYTES),
      callback: (length: number, buffer: Uint8Array): boolean => {
        connection.#read(buffer as Buffer, length);
        return true;
      },
    };
    // Node's types know this option for plain sockets only.
    const socket = connect({ ...options, onread } as ConnectionOptions);
    const connection = new Connection(socket);
    const opened = new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => socket.destroy(timedOut(options)), timeoutMs);
      socket.setNoDelay(true);
      socket.once('secureConnect', () => {
        clearTimeout(timer);
        connection.#usableUntil = Number.POSITIVE_INFINITY;
        resolve();
      });
      socket.on('error', (error) => (connection.#error ??= error));
      socket.once('end', () => connection.#end());
      socket.once('close', () => {
        clearTimeout(timer);
        connection.#usableUntil = 0;
        connection.#exchange?.reject(connection.#reason());
        connection.#exchange = undefined;
        onClose(connection);
        reject(connection.#refusal ?? connection.#error ?? new BrokenConnection(undefined));
      });
    });
    return { connection, opened };
  }

  /** Until when it may be used, in milliseconds of the monotonic clock. */
  get usableUntil(): number {
    return this.#usableUntil;
  }

  /** True if a request was sent over it. */
  get wasUsed(): boolean {
    return this.#wasUsed;
  }

  /** True if the head of a response has been received, and its end has not. */
  get hasHead(): boolean {
    return this.#exchange?.reader.hasHead === true;
  }

  /** The previous response must have been received. */
  send({ head, pieces, maxAnswerBytes, memory }: Request): Promise<Response> {
    return new Promise((resolve, reject) => {
      this.#exchange = {
        reader: new ResponseReader(maxAnswerBytes, memory),
        hasBegun: false,
        resolve,
        reject,
      };
      this.#isWriting = true;
      this.#wasUsed = true;
      this.#socket.write(this.#whole(head, pieces), () => (this.#isWriting = false));
    });
  }

  /** A request in flight rejects with the error. */
  close(error?: Error): void {
    this.#refusal ??= error;
    this.#usableUntil = 0;
    this.#socket.destroy();
  }

  /** Whether it keeps the process from ending. */
  holdProcess(holds: boolean): void {
    if (holds) this.#socket.ref();
    else this.#socket.unref();
  }

  #read(buffer: Buffer, length: number): void {
    const exchange = this.#exchange;
    // No request was sent.
    if (exchange === undefined) this.close();
    else exchange.hasBegun = true;
    try {
      const response = exchange?.reader.read(buffer.subarray(0, length));
      if (response !== undefined) this.#finish(exchange!, response);
    } catch (error) {
      this.close(error as Error);
    }
  }

  #end(): void {
    const response = this.#exchange?.reader.end();
    if (response !== undefined) this.#finish(this.#exchange!, response);
    this.close();
  }

  #finish(exchange: Exchange, response: Response): void {
    this.#exchange = undefined;
    // If the webhook answers before it has read the whole request, the rest must not be read as the next one.
    if (response.keepAliveMs === 0 || this.#isWriting) this.close();
    else this.#usableUntil = performance.now() + response.keepAliveMs;
    exchange.resolve(response);
  }

  /** Why there is no response. */
  #reason(): Error {
    if (this.#refusal !== undefined) return this.#refusal;
    return this.#exchange?.hasBegun ? new UnfinishedAnswer(this.#error) : new BrokenConnection(this.#error);
  }

  /** A batch consists of many small pieces: the separators of objects are strings of one byte. */
  #whole(head: string, pieces: readonly (string | Uint8Array)[]): Buffer {
    const length = pieces.reduce(
      (sum, piece) => sum + (typeof piece === 'string' ? Buffer.byteLength(piece) : piece.byteLength),
      0,
    );
    const start = `${head}content-length: ${length}\r\n\r\n`;
    const whole = this.#memory(start.length + length);
    let at = whole.write(start, 'latin1');
    for (const piece of pieces) {
      if (typeof piece === 'string') at += whole.write(piece, at);
      else {
        whole.set(piece, at);
        at += piece.byteLength;
      }
    }
    return whole;
  }

  #memory(bytes: number): Buffer {
    if (bytes > MAX_REUSED_REQUEST_BYTES) return Buffer.allocUnsafeSlow(bytes);
    if (bytes > this.#request.length) this.#request = Buffer.allocUnsafeSlow(bytes + (bytes >> 2));
    return this.#request.subarray(0, bytes);
  }
}

function timedOut({ host, port }: ConnectionOptions): Error {
  return Object.assign(new Error('connect timed out'), { code: 'ETIMEDOUT', address: host, port });
}
