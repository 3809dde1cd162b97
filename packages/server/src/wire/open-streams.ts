// The responses that are being streamed (watches), so that they can be ended when the server shuts down. Only
// this file starts and stops a StreamBody.
import type { Writable } from 'node:stream';
import { drainOf } from './drain.ts';
import type { ByteSink, StreamBody } from './exchange.ts';

export interface StreamSink extends ByteSink {
  /** Calls back when nothing can be written any longer; immediately if it is closed already. */
  onClose(callback: () => void): void;
}

export class OpenStreams {
  readonly #open = new Set<ByteSink>();
  #closing = false;

  get size(): number {
    return this.#open.size;
  }

  run(body: StreamBody, sink: StreamSink): void {
    const stop = body.start(sink);
    this.#open.add(sink);
    let stopped = false;
    const onClose = (): void => {
      if (stopped) return;
      stopped = true;
      this.#open.delete(sink);
      stop();
    };
    sink.onClose(onClose);
    if (this.#closing) sink.end();
  }

  /** For a stream that the client cannot receive: releases its slot. */
  discard(body: StreamBody): void {
    body.start(CLOSED)();
  }

  /** Ends every stream properly, and any that starts later immediately. */
  endAll(): void {
    this.#closing = true;
    for (const sink of this.#open) sink.end();
  }
}

const CLOSED: ByteSink = {
  pending: 0,
  write: () => {},
  drained: () => Promise.resolve(),
  end: () => {},
  destroy: () => {},
};

/** The body of a response whose head has been sent. */
export class ResponseSink implements StreamSink {
  readonly #to: Writable;

  constructor(to: Writable) {
    this.#to = to;
  }

  write(chunk: Uint8Array): void {
    if (!this.#to.writableEnded && !this.#to.destroyed) this.#to.write(chunk);
  }

  /** What Node buffers until the socket (HTTP/1) or the flow-control window (HTTP/2) accepts it. */
  get pending(): number {
    return this.#to.writableLength;
  }

  drained(): Promise<void> {
    return drainOf(this.#to);
  }

  end(): void {
    if (!this.#to.writableEnded) this.#to.end();
  }

  destroy(): void {
    this.#to.destroy();
  }

  onClose(callback: () => void): void {
    if (this.#to.destroyed || this.#to.closed) callback();
    else this.#to.once('close', callback);
  }
}
