// A request over HTTP/1.1 to switch to another protocol. It can be answered like any other request, after
// which the connection closes, or its connection can be taken over.
import { type IncomingHttpHeaders, type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface TakenConnection {
  readonly message: IncomingMessage;
  readonly socket: Socket;
  /** Bytes that the client has already sent in the other protocol. */
  readonly head: Buffer;
}

/** A request to change the protocol of its connection, as WebSockets need it. */
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

  /** Takes the connection over; HTTP answers are not possible afterwards. */
  take(): TakenConnection {
    this.out.detachSocket(this.#connection.socket);
    return this.#connection;
  }
}
