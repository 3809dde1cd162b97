// HTTP/1.1: Node's request and response on one side, ApiRequest and ApiResponse on the other.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { endAnswer, heldBack } from '@instar/serving';
import { readBody } from './body.ts';
import { clientCertificateOf } from './client-certificate.ts';
import { type ApiResponse, isStreamBody } from './exchange.ts';
import { IncomingRequest, type RequestSource } from './incoming-request.ts';
import { pumpParts } from './pump.ts';
import { withImpersonationLists } from './repeated-headers.ts';
import { errorText } from './responses.ts';
import type { Transport } from './transport.ts';

export function serveHttp1(transport: Transport, message: IncomingMessage, out: ServerResponse): void {
  const request = IncomingRequest.of(new Http1Source(message, out, transport.maxBodyBytes));
  const answer =
    request === undefined ? Promise.resolve(errorText(400, '400 Bad Request')) : transport.handle(request);
  const onBug = (error: unknown): void => transport.onBug(out, error);
  answer.then((response) => {
    try {
      write(transport, message, out, response);
    } catch (error) {
      onBug(error);
    }
  }, onBug);
}

class Http1Source implements RequestSource {
  readonly id = randomUUID();
  readonly method: string;
  readonly url: string;
  readonly headers: RequestSource['headers'];
  readonly #message: IncomingMessage;
  readonly #out: ServerResponse;
  readonly #limit: number;

  constructor(message: IncomingMessage, out: ServerResponse, limit: number) {
    this.#message = message;
    this.#out = out;
    this.#limit = limit;
    this.method = message.method ?? 'GET';
    this.url = originForm(message.url ?? '/');
    this.headers = withImpersonationLists(message.headers, message.rawHeaders);
  }

  get remoteAddress(): string {
    return this.#message.socket.remoteAddress ?? '';
  }

  get clientCertificate(): RequestSource['clientCertificate'] {
    return clientCertificateOf(this.#message.socket as TLSSocket);
  }

  readBody(): Promise<Uint8Array> {
    return readBody(this.#message, this.headers['content-length'] as string | undefined, this.#limit);
  }

  onGone(callback: () => void): void {
    if (this.#out.destroyed) callback();
    else this.#out.once('close', () => this.#out.writableFinished || callback());
  }
}

/** A proxy sends the whole URL. */
const originForm = (url: string): string =>
  url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '') || '/';

function write(
  transport: Transport,
  message: IncomingMessage,
  out: ServerResponse,
  { status, headers, body }: ApiResponse,
): void {
  if (transport.closing) headers['connection'] = 'close';
  if (isStreamBody(body)) {
    if (!out.destroyed) out.writeHead(status, headers).flushHeaders();
    transport.streams.run(body, out);
    return;
  }
  if (out.destroyed) return;
  const parts = body === undefined ? [] : body instanceof Uint8Array ? [body] : body;
  headers['content-length'] = String(parts.reduce((sum, part) => sum + part.byteLength, 0));
  out.writeHead(status, headers);
  if (message.method === 'HEAD') out.end();
  else if (parts.length === 0) out.end();
  else if (parts.length === 1) endAnswer(out, parts[0]!);
  else {
    const { first, last } = heldBack(parts);
    pumpParts(out, first, last);
  }
}
