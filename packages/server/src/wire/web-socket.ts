// Watches over WebSocket (RFC 6455), as kube-apiserver serves them: one message per event. Only the transport
// differs from other watches; the same limits apply.
import type { Duplex } from 'node:stream';
import type { Upgrade } from '@instar/serving';
import type { WebSocket, WebSocketServer } from 'ws';
import { drainOf } from './drain.ts';
import type { StreamSink } from './open-streams.ts';

/** Clients have no reason to send messages in a watch. */
const MAX_MESSAGE_BYTES = 4096;
/** A client that does not answer the close of its watch within this is disconnected. */
const CLOSE_TIMEOUT_MS = 5_000;

let server: Promise<WebSocketServer> | undefined;

/** Loaded when a client first needs it: most never do. */
function webSocketServer(): Promise<WebSocketServer> {
  server ??= import('ws').then(
    ({ WebSocketServer }) =>
      new WebSocketServer({
        noServer: true,
        clientTracking: false,
        perMessageDeflate: false,
        maxPayload: MAX_MESSAGE_BYTES,
      }),
  );
  return server;
}

export const isWebSocket = (upgrade: Upgrade | undefined): upgrade is Upgrade =>
  upgrade?.protocol === 'websocket';

/** Browsers send it, so that a server can refuse other sites; kube-apiserver refuses clients without it. */
export function hasOrigin({ headers }: Upgrade): boolean {
  const { origin } = headers;
  return origin !== undefined && URL.canParse(origin);
}

/** Undefined if the handshake fails: then the response is sent and the connection closed. */
export async function acceptWebSocket(
  upgrade: Upgrade,
  contentType: string,
): Promise<WebSocketSink | undefined> {
  const accepting = await webSocketServer();
  const { message, socket, head } = upgrade.take();
  return new Promise((resolve) => {
    if (socket.destroyed) resolve(undefined);
    socket.once('close', () => resolve(undefined));
    accepting.handleUpgrade(message, socket, head, (webSocket) => {
      webSocket.on('error', () => webSocket.terminate());
      resolve(new WebSocketSink(webSocket, socket, contentType));
    });
  });
}

/** Splits what a watch writes into events. */
type EventSplitter = (chunk: Uint8Array) => Iterable<Uint8Array>;

const NEWLINE = 0x0a;
const LENGTH_BYTES = 4;

/** Events in JSON are lines. The newline stays, as upstream sends it. */
export function* linesOf(chunk: Uint8Array): Iterable<Uint8Array> {
  for (let start = 0; start < chunk.length; ) {
    const newline = chunk.indexOf(NEWLINE, start);
    const end = newline < 0 ? chunk.length : newline + 1;
    yield chunk.subarray(start, end);
    start = end;
  }
}

/** Events in protobuf follow their length, which is omitted, as messages have a length themselves. */
export function* lengthDelimited(chunk: Uint8Array): Iterable<Uint8Array> {
  const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  for (let start = 0; start < chunk.length; ) {
    const end = start + LENGTH_BYTES + view.getUint32(start);
    yield chunk.subarray(start + LENGTH_BYTES, end);
    start = end;
  }
}

class WebSocketSink implements StreamSink {
  readonly #webSocket: WebSocket;
  readonly #socket: Duplex;
  readonly #cut: EventSplitter;
  readonly #isText: boolean;

  constructor(webSocket: WebSocket, socket: Duplex, contentType: string) {
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.#isText = contentType.startsWith('application/json');
    this.#cut = this.#isText ? linesOf : lengthDelimited;
  }

  write(chunk: Uint8Array): void {
    if (this.#webSocket.readyState !== this.#webSocket.OPEN) return;
    for (const event of this.#cut(chunk)) this.#webSocket.send(event, { binary: !this.#isText });
  }

  get pending(): number {
    return this.#webSocket.bufferedAmount;
  }

  drained(): Promise<void> {
    return drainOf(this.#socket);
  }

  end(): void {
    if (this.#webSocket.readyState !== this.#webSocket.OPEN) return;
    this.#webSocket.close(1000);
    setTimeout(() => this.#webSocket.terminate(), CLOSE_TIMEOUT_MS).unref();
  }

  destroy(): void {
    this.#webSocket.terminate();
  }

  onClose(callback: () => void): void {
    if (this.#webSocket.readyState === this.#webSocket.CLOSED) callback();
    else this.#webSocket.once('close', callback);
  }
}
