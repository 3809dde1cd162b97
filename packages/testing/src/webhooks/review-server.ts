// An HTTPS server on loopback, with a certificate of a CA of its own, that answers reviews. It can be stopped
// and started again at the same address.
import type { IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { Socket } from 'node:net';
import { createCa, createLeaf } from '@instar/serving';
import { freePort } from '../free-ports.ts';

/** The body of the answer: text as it is, anything else as JSON. */
export type AnswerReview = (review: unknown, path: string) => unknown;

export class ReviewServer {
  /** PEM in base64, as in webhook configurations. */
  readonly caBundle: string;
  readonly #tls: { readonly key: string; readonly cert: string };
  readonly #answer: AnswerReview;
  /** Also those in the middle of a TLS handshake, which Node does not count as connections of the server. */
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;

  constructor(answer: AnswerReview, hosts: readonly string[] = ['127.0.0.1']) {
    const ca = { ...createCa('webhook-ca', 1), commonName: 'webhook-ca' };
    const leaf = createLeaf(ca, { subject: { commonName: 'webhook' }, usage: 'server', hosts, days: 1 });
    this.caBundle = Buffer.from(ca.certificate).toString('base64');
    this.#tls = { key: leaf.key, cert: leaf.certificate };
    this.#answer = answer;
  }

  get port(): number {
    return this.#port;
  }

  async start(): Promise<void> {
    if (this.#server !== undefined) throw new Error('this webhook is running');
    const server = createServer(this.#tls, async (request, response) => {
      const text = await bodyOf(request);
      if (text === undefined) return;
      const reply = await this.#answer(JSON.parse(text), request.url ?? '');
      response.setHeader('content-type', 'application/json');
      response.end(typeof reply === 'string' ? reply : JSON.stringify(reply));
    });
    server.on('connection', (socket: Socket) =>
      this.#sockets.add(socket.once('close', () => this.#sockets.delete(socket))),
    );
    this.#server = server;
    this.#port ||= await freePort();
    await new Promise<void>((resolve, reject) =>
      server.once('error', reject).listen(this.#port, '127.0.0.1', resolve),
    );
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}

/** The body as text; undefined if the connection was closed before it was complete. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  let text = '';
  try {
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    return text;
  } catch {
    return undefined;
  }
}
