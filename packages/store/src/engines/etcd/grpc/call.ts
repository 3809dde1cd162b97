// One call over an HTTP/2 session: messages in both directions, then a status. Unary calls and streams differ
// only in the number of messages.
import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2';
import { FrameReader, frameOf } from './frames.ts';
import { errorOfHttpStatus, errorOfTrailers, GRPC, GrpcError } from './status.ts';

/** The largest message: pages are far smaller. */
const MAX_MESSAGE_BYTES = 512 * 1024 * 1024;

export interface CallEvents {
  onMessage(message: Buffer): void;
  /** Called once, at the end; without an error the call succeeded. */
  onEnd(error: GrpcError | undefined): void;
}

export class Call {
  readonly #stream: ClientHttp2Stream;
  readonly #events: CallEvents;
  readonly #frames = new FrameReader(MAX_MESSAGE_BYTES);
  #trailers: IncomingHttpHeaders | undefined;
  #error: GrpcError | undefined;
  #ended = false;

  constructor(
    session: ClientHttp2Session,
    path: string,
    metadata: Readonly<Record<string, string>>,
    events: CallEvents,
  ) {
    this.#events = events;
    this.#stream = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...metadata,
    });
    this.#stream.on('response', (headers) => this.#onHeaders(headers));
    this.#stream.on('data', (chunk: Buffer) => this.#onData(chunk));
    this.#stream.on('trailers', (trailers) => (this.#trailers = trailers));
    this.#stream.on(
      'error',
      (cause) =>
        (this.#error ??= new GrpcError(GRPC.unavailable, `the connection failed: ${cause.message}`, {
          cause,
        })),
    );
    this.#stream.on('close', () => this.#end());
  }

  send(message: Uint8Array, isLast = false): void {
    if (this.#stream.destroyed || this.#stream.writableEnded) return;
    if (isLast) this.#stream.end(frameOf(message));
    else this.#stream.write(frameOf(message));
  }

  /** Aborts; `onEnd` gets this error. */
  cancel(error = new GrpcError(GRPC.cancelled, 'cancelled')): void {
    this.#error ??= error;
    this.#stream.close(CANCEL);
  }

  #onHeaders(headers: IncomingHttpHeaders): void {
    const status = Number(headers[':status']);
    if (status !== 200) this.#error ??= errorOfHttpStatus(status);
    if (headers['grpc-status'] !== undefined) this.#trailers = headers;
  }

  #onData(chunk: Buffer): void {
    if (this.#error !== undefined) return;
    try {
      for (const message of this.#frames.push(chunk)) this.#events.onMessage(message);
    } catch (error) {
      this.cancel(
        error instanceof GrpcError
          ? error
          : new GrpcError(GRPC.internal, 'an answer cannot be read', { cause: error }),
      );
    }
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#events.onEnd(this.#error ?? this.#statusError());
  }

  #statusError(): GrpcError | undefined {
    if (this.#trailers === undefined)
      return new GrpcError(GRPC.unavailable, 'the connection ended before the answer');
    return errorOfTrailers(this.#trailers);
  }
}

const CANCEL = 8;
