// HTTP/1.1: Node's request and response as an Exchange.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { endAnswer, heldBack } from './end-answer.ts';
import { type AnswerHeaders, contentLength, Exchange } from './exchange.ts';
import { pumpParts } from './pump.ts';
import type { Upgrade } from './upgrade.ts';

/** What an exchange needs to know of its listener to answer. */
export interface ConnectionPolicy {
  readonly isClosing: boolean;
  /**
   * Whether the connection is closed after an answer that is sent before the end of the request's body.
   * Otherwise Node reads and discards the rest.
   */
  readonly closesUnread: boolean;
}

export class Http1Exchange extends Exchange {
  declare readonly body: IncomingMessage;
  declare readonly out: ServerResponse;
  override readonly upgrade: Upgrade | undefined;
  readonly #policy: ConnectionPolicy;

  constructor(message: IncomingMessage, out: ServerResponse, policy: ConnectionPolicy, upgrade?: Upgrade) {
    const { method = 'GET', url = '/', headers, rawHeaders } = message;
    super(method, originForm(url), headers, rawHeaders, message, out);
    this.#policy = policy;
    this.upgrade = upgrade;
  }

  get socket(): TLSSocket {
    return this.body.socket as TLSSocket;
  }

  get isClosed(): boolean {
    return this.out.destroyed;
  }

  get hasWholeBody(): boolean {
    return this.body.complete;
  }

  abort(): void {
    this.socket.destroy();
  }

  send(status: number, headers: AnswerHeaders, parts: readonly Uint8Array[]): void {
    const { out } = this;
    if (out.destroyed) return;
    if (this.#isLast()) headers['connection'] = 'close';
    headers['content-length'] = contentLength(parts);
    out.writeHead(status, headers);
    if (this.method === 'HEAD' || parts.length === 0) out.end();
    else if (parts.length === 1) endAnswer(out, parts[0]!);
    else {
      const { first, last } = heldBack(parts);
      pumpParts(out, first, last);
    }
  }

  sendHead(status: number, headers: AnswerHeaders): void {
    if (this.#isLast()) headers['connection'] = 'close';
    if (!this.out.destroyed) this.out.writeHead(status, headers).flushHeaders();
  }

  #isLast(): boolean {
    const { isClosing, closesUnread } = this.#policy;
    if (!closesUnread || this.body.complete) return isClosing;
    // The rest is read and discarded, so that the client can read the answer.
    this.body.resume();
    return true;
  }
}

/** A proxy sends the whole URL. */
const originForm = (url: string): string =>
  url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '') || '/';
