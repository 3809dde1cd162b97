// HTTP/2 over Node's stream API (its compatibility API costs twice as much) as an Exchange.
import {
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { type AnswerHeaders, contentLength, Exchange } from './exchange.ts';
import { keepSessionOpen } from './idle-session.ts';
import { pumpParts } from './pump.ts';

export class Http2Exchange extends Exchange {
  declare readonly body: ServerHttp2Stream;
  declare readonly out: ServerHttp2Stream;

  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, rawHeaders: readonly string[]) {
    super(headers[':method'] ?? 'GET', headers[':path'] ?? '/', headers, rawHeaders, stream, stream);
    // A reset by the client is not our error; without a listener it would end the process.
    stream.on('error', ignore);
  }

  get socket(): TLSSocket | undefined {
    return this.out.session?.socket as TLSSocket | undefined;
  }

  get isClosed(): boolean {
    return this.out.destroyed || this.out.closed;
  }

  get hasWholeBody(): boolean {
    return this.body.endAfterHeaders || this.body.readableEnded;
  }

  abort(): void {
    this.out.close(constants.NGHTTP2_CANCEL);
  }

  send(status: number, headers: AnswerHeaders, parts: readonly Uint8Array[]): void {
    const stream = this.out;
    if (this.isClosed) return;
    headers['content-length'] = contentLength(parts);
    if (!stream.endAfterHeaders && !stream.readableEnded) discardBody(stream);
    const isEmpty = this.method === 'HEAD' || parts.length === 0;
    stream.respond(withStatus(status, headers), { endStream: isEmpty });
    if (isEmpty) return;
    if (parts.length === 1) stream.end(parts[0]);
    else pumpParts(stream, parts);
  }

  sendHead(status: number, headers: AnswerHeaders): void {
    if (this.isClosed) return;
    keepSessionOpen(this.out);
    this.out.respond(withStatus(status, headers));
  }
}

const ignore = (): void => {};

function withStatus(status: number, headers: AnswerHeaders): OutgoingHttpHeaders {
  const head: OutgoingHttpHeaders = headers;
  head[':status'] = status;
  return head;
}

/**
 * Discards the rest of the body. The stream is closed once the answer is sent, which makes the client stop
 * sending.
 */
function discardBody(stream: ServerHttp2Stream): void {
  stream.resume();
  stream.once('finish', () => {
    if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
  });
}
