// One TLS connection that carries one request at a time. What it reads goes through one buffer, which is used
// again and again, and so does what it writes: Node would otherwise allocate a buffer for every few
// kilobytes, and collecting these cost more than all that is done with an answer.
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import type { SpareMemory } from '@instar/serving';
import { type Response, ResponseReader } from './response-reader.ts';

const READ_BYTES = 64 * 1024;
/** Larger requests get memory of their own. */
const KEPT_REQUEST_BYTES = 1024 * 1024;

export interface Request {
  /** All of the head up to the length of the body. */
  readonly head: string;
  readonly pieces: readonly (string | Uint8Array)[];
  readonly maxAnswerBytes: number;
  /** For the answer. */
  readonly memory: SpareMemory;
}

/** The connection ended before anything of an answer had come. */
export class BrokenConnection extends Error {
  override readonly name = 'BrokenConnection';
  readonly code: string;

  constructor(cause: NodeJS.ErrnoException | undefined) {
    super(cause?.message ?? 'EOF', { cause });
    this.code = cause?.code ?? 'EOF';
  }
}

/** It ended in the middle of one: the webhook has seen the request, which must not be made again. */
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
  /** Something of an answer has come, be it a part of its head. */
  hasBegun: boolean;
  resolve(response: Response): void;
  reject(error: Error): void;
}

export class Connection {
  readonly #socket: TLSSocket;
  #exchange: Exchange | undefined;
  #isWriting = false;
  #request = Buffer.alloc(0);
  /** From outside: what was wrong with what came, or that nobody waits any more. */
  #refusal: Error | undefined;
  #error: Error | undefined;
  #usableUntil = 0;
  #hasCarried = false;

  private constructor(socket: TLSSocket) {
    this.#socket = socket;
  }

  /** `opened` resolves when it can be used. `onClose` is told when it has ended, for whatever reason. */
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

  /** When it ought not to be used any more, in milliseconds of the clock that only goes forward. */
  get usableUntil(): number {
    return this.#usableUntil;
  }

  /** True if it has carried a request. */
  get hasCarried(): boolean {
    return this.#hasCarried;
  }

  /** True if the head of an answer has come, and its end has not. */
  get hasHead(): boolean {
    return this.#exchange?.reader.hasHead === true;
  }

  /** The answer before must have come. */
  send({ head, pieces, maxAnswerBytes, memory }: Request): Promise<Response> {
    return new Promise((resolve, reject) => {
      this.#exchange = {
        reader: new ResponseReader(maxAnswerBytes, memory),
        hasBegun: false,
        resolve,
        reject,
      };
      this.#isWriting = true;
      this.#hasCarried = true;
      this.#socket.write(this.#whole(head, pieces), () => (this.#isWriting = false));
    });
  }

  /** Whoever waits for an answer is told of the error. */
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
    // Nobody has asked for anything.
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
    // A webhook that answers before it has read the request will not take the rest of it for the next one.
    if (response.keepAliveMs === 0 || this.#isWriting) this.close();
    else this.#usableUntil = performance.now() + response.keepAliveMs;
    exchange.resolve(response);
  }

  /** Why there is no answer. */
  #reason(): Error {
    if (this.#refusal !== undefined) return this.#refusal;
    return this.#exchange?.hasBegun ? new UnfinishedAnswer(this.#error) : new BrokenConnection(this.#error);
  }

  /** Objects of a batch come in many small pieces, of which the separators are strings of a byte. */
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
    if (bytes > KEPT_REQUEST_BYTES) return Buffer.allocUnsafeSlow(bytes);
    if (bytes > this.#request.length) this.#request = Buffer.allocUnsafeSlow(bytes + (bytes >> 2));
    return this.#request.subarray(0, bytes);
  }
}

function timedOut({ host, port }: ConnectionOptions): Error {
  return Object.assign(new Error('connect timed out'), { code: 'ETIMEDOUT', address: host, port });
}
