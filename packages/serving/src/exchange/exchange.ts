// One request and its answer, whichever protocol carries them.
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Upgrade } from './upgrade.ts';

/** Lower-case names. */
export type AnswerHeaders = Record<string, string | string[]>;

export abstract class Exchange {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[];
  /** Of the request. */
  readonly body: Readable;
  /** Where the answer goes. */
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

  /** Set if the client asks to go on in another protocol, which the listener must allow. */
  readonly upgrade?: Upgrade | undefined;

  /** Undefined once the connection is gone. */
  abstract readonly socket: TLSSocket | undefined;
  /** Nobody would read an answer. */
  abstract readonly isGone: boolean;

  /** A whole answer, once only. The content-length is added; `headers` may be changed. */
  abstract send(status: number, headers: AnswerHeaders, parts: readonly Uint8Array[]): void;

  /** The head of an answer that goes on: its body is then written to `out`. */
  abstract sendHead(status: number, headers: AnswerHeaders): void;

  /** Calls back when the client has gone before it had its whole answer; at once if it is gone already. */
  onGone(callback: () => void): void {
    if (this.isGone) callback();
    else this.out.once('close', () => this.out.writableFinished || callback());
  }

  /** Calls back when nothing of the answer is needed any more, sent or not. */
  onClosed(callback: () => void): void {
    if (this.isGone) callback();
    else this.out.once('close', callback);
  }
}

export function contentLength(parts: readonly Uint8Array[]): string {
  let bytes = 0;
  for (const part of parts) bytes += part.byteLength;
  return String(bytes);
}
