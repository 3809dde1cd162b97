// A request over HTTP/1.1 to go on in another protocol. It can be answered like any other request, after
// which the connection closes, or its connection can be taken over.
import { type IncomingHttpHeaders, type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface TakenConnection {
  readonly message: IncomingMessage;
  readonly socket: Socket;
  /** What the client has sent in the other protocol already. */
  readonly head: Buffer;
}

export class Upgrade {
  /** In lower case. */
  readonly protocol: string;
  readonly headers: IncomingHttpHeaders;
  /** For an answer in HTTP. */
  readonly out: ServerResponse;
  readonly #connection: TakenConnection;

  constructor(message: IncomingMessage, socket: Socket, head: Buffer) {
    this.protocol = message.headers.upgrade?.toLowerCase() ?? '';
    this.headers = message.headers;
    this.#connection = { message, socket, head };
    this.out = new ServerResponse(message);
    this.out.shouldKeepAlive = false;
    this.out.assignSocket(socket);
    this.out.once('finish', () => socket.destroySoon());
  }

  /** Nothing can be answered in HTTP afterwards. */
  take(): TakenConnection {
    this.out.detachSocket(this.#connection.socket);
    return this.#connection;
  }
}
