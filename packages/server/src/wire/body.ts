// Reads a whole request body, up to the limit.
import type { Readable } from 'node:stream';
import { apiErrors } from '@instar/machinery';
import { type BodyConsumer, BodyParts, isAnnouncedBeyond, readBody } from '@instar/serving';

const EMPTY = new Uint8Array(0);

export function readWhole(
  stream: Readable,
  contentLength: string | undefined,
  limit: number,
  onAbort: (stop: (reason: Error) => void) => void,
): Promise<Uint8Array> {
  if (contentLength === '0') return Promise.resolve(EMPTY);
  if (isAnnouncedBeyond(limit, contentLength)) return Promise.reject(tooLarge(limit));
  return new Promise((resolve, reject) => {
    const stop = readBody(stream, new WholeBody(limit, resolve, reject));
    // Once the response is written, neither the end nor the close of an HTTP/1 body is reported.
    onAbort((reason) => {
      stop();
      reject(reason);
    });
  });
}

class WholeBody implements BodyConsumer {
  readonly #limit: number;
  readonly #resolve: (body: Uint8Array) => void;
  readonly #reject: (error: Error) => void;
  readonly #parts = new BodyParts();

  constructor(limit: number, resolve: (body: Uint8Array) => void, reject: (error: Error) => void) {
    this.#limit = limit;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  take(chunk: Buffer): boolean {
    const fits = this.#parts.length + chunk.byteLength <= this.#limit;
    if (fits) this.#parts.add(chunk);
    else this.#reject(tooLarge(this.#limit));
    return fits;
  }

  done(): void {
    this.#resolve(this.#parts.whole());
  }

  aborted(error: Error | undefined): void {
    this.#reject(error ?? apiErrors.badRequest('unexpected EOF'));
  }
}

const tooLarge = (limit: number): Error => apiErrors.entityTooLarge(`limit is ${limit}`);
