// Serves an exchange of either protocol: makes an ApiRequest from it and writes the ApiResponse to it.
import type { Exchange } from '@instar/serving';
import { type ApiResponse, type Handler, isStreamBody, type StreamBody } from './exchange.ts';
import { IncomingRequest } from './incoming-request.ts';
import { type OpenStreams, ResponseSink } from './open-streams.ts';
import { errorText } from './responses.ts';
import { acceptWebSocket, hasOrigin, isWebSocket } from './web-socket.ts';

/** What exchanges need from the listener that serves them. */
export interface Transport {
  /** All filters and handlers: they respond to errors themselves, so a rejection is a bug. */
  readonly handle: Handler;
  readonly maxBodyBytes: number;
  readonly streams: OpenStreams;
  /** For a rejected `handle` or an error while writing: logs it and aborts the response. */
  onBug(exchange: Exchange, error: unknown): void;
}

export function serveExchange(transport: Transport, exchange: Exchange): void {
  const request = IncomingRequest.of(exchange, transport.maxBodyBytes);
  const answer =
    request === undefined ? Promise.resolve(errorText(400, '400 Bad Request')) : transport.handle(request);
  const onBug = (error: unknown): void => transport.onBug(exchange, error);
  answer.then((response) => {
    try {
      write(transport, exchange, response);
    } catch (error) {
      onBug(error);
    }
  }, onBug);
}

const NO_PARTS: readonly Uint8Array[] = [];

function write(transport: Transport, exchange: Exchange, { status, headers, body }: ApiResponse): void {
  if (isStreamBody(body)) stream(transport, exchange, status, headers, body);
  else if (body === undefined) exchange.send(status, headers, NO_PARTS);
  else exchange.send(status, headers, body instanceof Uint8Array ? [body] : body);
}

function stream(
  transport: Transport,
  exchange: Exchange,
  status: number,
  headers: ApiResponse['headers'],
  body: StreamBody,
): void {
  const { upgrade } = exchange;
  if (!isWebSocket(upgrade)) {
    exchange.sendHead(status, headers);
    transport.streams.run(body, new ResponseSink(exchange.out));
    return;
  }
  if (!hasOrigin(upgrade)) {
    transport.streams.discard(body);
    write(transport, exchange, errorText(403, 'a WebSocket handshake must name its Origin'));
    return;
  }
  acceptWebSocket(upgrade, String(headers['content-type'])).then(
    (sink) => (sink === undefined ? transport.streams.discard(body) : transport.streams.run(body, sink)),
    (error: unknown) => transport.onBug(exchange, error),
  );
}
