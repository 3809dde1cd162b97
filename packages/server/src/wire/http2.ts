// HTTP/2 over Node's stream API (its compatibility API costs twice as much): streams on one side, ApiRequest
// and ApiResponse on the other.
import { randomUUID } from 'node:crypto';
import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { readBody } from './body.ts';
import { clientCertificateOf } from './client-certificate.ts';
import { type ApiResponse, isStreamBody } from './exchange.ts';
import { IncomingRequest, type RequestSource } from './incoming-request.ts';
import { pumpParts } from './pump.ts';
import { withImpersonationLists } from './repeated-headers.ts';
import { errorText } from './responses.ts';
import type { Transport } from './transport.ts';

export function serveHttp2(
  transport: Transport,
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  rawHeaders: readonly string[],
): void {
  // A reset by the client is not an error of ours; without a listener it would end the process.
  stream.on('error', ignore);
  const request = IncomingRequest.of(new Http2Source(stream, headers, rawHeaders, transport.maxBodyBytes));
  const answer =
    request === undefined ? Promise.resolve(errorText(400, '400 Bad Request')) : transport.handle(request);
  const onBug = (error: unknown): void => transport.onBug(stream, error);
  answer.then((response) => {
    try {
      write(transport, stream, headers[':method'] === 'HEAD', response);
    } catch (error) {
      onBug(error);
    }
  }, onBug);
}

const ignore = (): void => {};

class Http2Source implements RequestSource {
  readonly id = randomUUID();
  readonly method: string;
  readonly url: string;
  readonly headers: RequestSource['headers'];
  readonly #stream: ServerHttp2Stream;
  readonly #limit: number;

  constructor(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    rawHeaders: readonly string[],
    limit: number,
  ) {
    this.#stream = stream;
    this.#limit = limit;
    this.method = headers[':method'] ?? 'GET';
    this.url = headers[':path'] ?? '/';
    this.headers = withImpersonationLists(headers, rawHeaders);
  }

  get remoteAddress(): string {
    return this.#stream.session?.socket?.remoteAddress ?? '';
  }

  get clientCertificate(): RequestSource['clientCertificate'] {
    const socket = this.#stream.session?.socket;
    return socket === undefined ? undefined : clientCertificateOf(socket as TLSSocket);
  }

  readBody(): Promise<Uint8Array> {
    return readBody(this.#stream, this.headers['content-length'] as string | undefined, this.#limit);
  }

  onGone(callback: () => void): void {
    if (this.#stream.destroyed || this.#stream.closed) callback();
    else this.#stream.once('close', () => this.#stream.writableFinished || callback());
  }
}

function write(
  transport: Transport,
  stream: ServerHttp2Stream,
  isHead: boolean,
  { status, headers, body }: ApiResponse,
): void {
  const isGone = stream.destroyed || stream.closed;
  const head: Record<string, string | string[] | number> = headers;
  head[':status'] = status;
  if (isStreamBody(body)) {
    if (!isGone) stream.respond(head);
    transport.streams.run(body, stream);
    return;
  }
  if (isGone) return;
  const parts = body === undefined ? [] : body instanceof Uint8Array ? [body] : body;
  head['content-length'] = String(parts.reduce((sum, part) => sum + part.byteLength, 0));
  if (!stream.endAfterHeaders && !stream.readableEnded) stopReading(stream);
  const isEmpty = isHead || parts.length === 0;
  stream.respond(head, { endStream: isEmpty });
  if (isEmpty) return;
  if (parts.length === 1) stream.end(parts[0]);
  else pumpParts(stream, parts);
}

/**
 * What is left of a body that nobody reads: the stream is closed once the answer is out, which tells the
 * client to stop sending.
 */
function stopReading(stream: ServerHttp2Stream): void {
  stream.resume();
  stream.once('finish', () => {
    if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
  });
}
