// One request and its answer, over HTTP/1.1 or HTTP/2.
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Upgrade } from './upgrade.ts';

/** Lower-case names. */
export type AnswerHeaders = Record<string, string | string[]>;

/** A request and its response, over HTTP/1.1 or HTTP/2. */
export abstract class Exchange {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Alternating names and values, as received. */
  readonly rawHeaders: readonly string[];
  /** The body of the request. */
  readonly body: Readable;
  /** The body of the answer. */
  readonly out: Writable;

  constructor(
    method: string,
    url: string,
    headers: IncomingHttpHeaders,
    rawHeaders: readonly string[],
    body: Readable,
    out: Writable,
  ) {
    this.method = method;
    this.url = url;
    this.headers = headers;
    this.rawHeaders = rawHeaders;
    this.body = body;
    this.out = out;
  }

  /** Set if the client requests another protocol and the listener allows upgrades. */
  readonly upgrade?: Upgrade | undefined;

  /** Undefined once the connection is closed. */
  abstract readonly socket: TLSSocket | undefined;
  /** The client has disconnected, or the answer has been sent. */
  abstract readonly isClosed: boolean;
  /** The body of the request has arrived, and for HTTP/2 been read, to its end. */
  abstract readonly hasWholeBody: boolean;

  /** Ends it without an answer; over HTTP/1.1 with its connection. */
  abstract abort(): void;

  /** Sends a whole answer; must be called once. Adds the content-length to `headers`. */
  abstract send(status: number, headers: AnswerHeaders, parts: readonly Uint8Array[]): void;

  /** Sends the head of a streamed answer, whose body is then written to `out`. */
  abstract sendHead(status: number, headers: AnswerHeaders): void;

  /**
   * Calls back when the client disconnects before it has the whole answer; immediately if it is closed
   * already.
   */
  onAborted(callback: () => void): void {
    if (this.isClosed) callback();
    else this.out.once('close', () => this.out.writableFinished || callback());
  }

  /** Calls back when the answer is no longer needed, whether it was sent or not. */
  onClosed(callback: () => void): void {
    if (this.isClosed) callback();
    else this.out.once('close', callback);
  }
}

export function contentLength(parts: readonly Uint8Array[]): string {
  let bytes = 0;
  for (const part of parts) bytes += part.byteLength;
  return String(bytes);
}
