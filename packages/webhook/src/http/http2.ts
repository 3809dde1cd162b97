// HTTP/2 over Node's stream API, which costs half as much as its compatibility API, as an Exchange.
import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { type Answer, bytesOf, type Exchange } from './exchange.ts';

export class Http2Exchange implements Exchange {
  readonly body: ServerHttp2Stream;
  readonly #headers: IncomingHttpHeaders;

  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders) {
    // A reset by the client is no error of ours; without a listener it would end the process.
    stream.on('error', ignore);
    this.body = stream;
    this.#headers = headers;
  }

  get method(): string {
    return this.#headers[':method'] ?? 'GET';
  }

  get url(): string {
    return this.#headers[':path'] ?? '/';
  }

  get contentType(): string | undefined {
    return this.#headers['content-type'];
  }

  get contentLength(): string | undefined {
    return this.#headers['content-length'];
  }

  get hasClientCertificate(): boolean {
    return (this.body.session?.socket as TLSSocket | undefined)?.authorized === true;
  }

  send({ status, type, body, headers, release }: Answer): void {
    const stream = this.body;
    if (stream.destroyed || stream.closed) {
      release?.();
      return;
    }
    if (release !== undefined) stream.once('close', release);
    const bytes = bytesOf(body);
    if (!stream.endAfterHeaders && !stream.readableEnded) stopReading(stream);
    stream.respond({
      ':status': status,
      'content-type': type,
      'content-length': bytes.byteLength,
      ...headers,
    });
    stream.end(this.method === 'HEAD' ? undefined : bytes);
  }
}

const ignore = (): void => {};

/** The stream is closed once the answer is out, which tells the client to stop sending. */
function stopReading(stream: ServerHttp2Stream): void {
  stream.resume();
  stream.once('finish', () => {
    if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
  });
}
