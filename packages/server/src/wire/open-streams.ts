// The answers that go on (watches), so that they can be ended when the server shuts down. Also the one place
// that starts and stops a StreamBody.
import type { Writable } from 'node:stream';
import type { ByteSink, StreamBody } from './exchange.ts';

export class OpenStreams {
  readonly #open = new Set<ByteSink>();
  #closing = false;

  get size(): number {
    return this.#open.size;
  }

  /** The head has been written to `to`; the rest is the body's. */
  run(body: StreamBody, to: Writable): void {
    const sink = new WritableSink(to);
    const stop = body.start(sink);
    this.#open.add(sink);
    let stopped = false;
    const onClose = (): void => {
      if (stopped) return;
      stopped = true;
      this.#open.delete(sink);
      stop();
    };
    if (to.destroyed || to.closed) onClose();
    else to.once('close', onClose);
    if (this.#closing) sink.end();
  }

  /** Ends every stream properly, and any that starts later at once. */
  endAll(): void {
    this.#closing = true;
    for (const sink of this.#open) sink.end();
  }
}

class WritableSink implements ByteSink {
  readonly #to: Writable;

  constructor(to: Writable) {
    this.#to = to;
  }

  write(chunk: Uint8Array): void {
    if (!this.#to.writableEnded && !this.#to.destroyed) this.#to.write(chunk);
  }

  /** What Node holds until the socket (HTTP/1) or the flow-control window of the stream (HTTP/2) takes it. */
  get pending(): number {
    return this.#to.writableLength;
  }

  drained(): Promise<void> {
    const to = this.#to;
    if (!to.writableNeedDrain || to.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        to.off('drain', done).off('close', done);
        resolve();
      };
      to.on('drain', done).on('close', done);
    });
  }

  end(): void {
    if (!this.#to.writableEnded) this.#to.end();
  }

  destroy(): void {
    this.#to.destroy();
  }
}
