// HTTP/1.1: Node's request and response as an Exchange.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { endAnswer } from '@instar/serving';
import { type Answer, bytesOf, type Exchange } from './exchange.ts';

export class Http1Exchange implements Exchange {
  readonly body: IncomingMessage;
  readonly #out: ServerResponse;
  readonly #isClosing: () => boolean;

  constructor(message: IncomingMessage, out: ServerResponse, isClosing: () => boolean) {
    this.body = message;
    this.#out = out;
    this.#isClosing = isClosing;
  }

  get method(): string {
    return this.body.method ?? 'GET';
  }

  get url(): string {
    return this.body.url ?? '/';
  }

  get contentType(): string | undefined {
    return this.body.headers['content-type'];
  }

  get contentLength(): string | undefined {
    return this.body.headers['content-length'];
  }

  get hasClientCertificate(): boolean {
    return (this.body.socket as TLSSocket).authorized;
  }

  send({ status, type, body, headers, release }: Answer): void {
    const out = this.#out;
    if (out.destroyed) {
      release?.();
      return;
    }
    if (release !== undefined) out.once('close', release);
    const bytes = bytesOf(body);
    // The next request could not be told from the rest of this one's body.
    const isLast = this.#isClosing() || !this.body.complete;
    const head = {
      'content-type': type,
      'content-length': bytes.byteLength,
      ...headers,
      ...(isLast && { connection: 'close' }),
    };
    // What is left is read and thrown away, so that the client gets to read the answer.
    if (!this.body.complete) this.body.resume();
    out.writeHead(status, head);
    if (this.method === 'HEAD') out.end();
    else endAnswer(out, bytes);
  }
}
