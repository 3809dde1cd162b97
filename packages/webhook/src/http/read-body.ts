// Reads a body whole, within its own bound and the one for all bodies together.
import { type ApiError, apiErrors } from '@instar/machinery';
import { SpareMemory } from '@instar/serving';
import type { Exchange } from './exchange.ts';
import type { InFlight, InFlightReview } from './in-flight.ts';

export interface BodyReader {
  readonly inFlight: InFlight;
  readonly place: InFlightReview;
  readonly limit: number;
  readonly memory: SpareMemory;
  /** `release` is for whoever looks at the body no more: its memory then serves for other bodies. */
  done(body: Uint8Array, release: () => void): void;
  failed(error: ApiError | 'gone'): void;
}

export function readBody(
  { body, contentLength }: Exchange,
  { inFlight, place, limit, memory, done, failed }: BodyReader,
): void {
  const tooLarge = (): ApiError => apiErrors.entityTooLarge(`limit is ${limit}`);
  if (contentLength !== undefined && Number(contentLength) > limit) {
    failed(tooLarge());
    return;
  }
  const parts = new Parts(contentLength === undefined ? 0 : Number(contentLength), memory);
  const stop = (error: ApiError | 'gone'): void => {
    body.off('data', onData).off('end', onEnd).off('close', onGone).off('error', onGone);
    // What still comes must not end the process.
    body.on('error', ignore);
    place.onLate = undefined;
    failed(error);
  };
  const onData = (chunk: Buffer): void => {
    const fits = inFlight.grow(place, chunk.byteLength);
    if (place.bytes > limit) stop(tooLarge());
    else if (!fits) stop(tooMany());
    else parts.add(chunk);
  };
  const onGone = (): void => stop('gone');
  const onEnd = (): void => {
    body.off('close', onGone);
    place.onLate = undefined;
    done(parts.whole(), () => parts.release());
  };
  place.onLate = () => stop(apiErrors.timeout('the body of the request did not come in time'));
  body.on('data', onData).once('end', onEnd).once('close', onGone).once('error', onGone);
}

/** Shorter bodies come in a few chunks, which need no memory of ours. */
const LONG_BYTES = 64 * 1024;

/**
 * Of one body. Those of a long one are put together as they come, so that each of them is garbage at once,
 * and small garbage.
 */
class Parts {
  readonly #memory: SpareMemory;
  readonly #chunks: Buffer[] = [];
  #taken: Buffer | undefined;
  #length = 0;

  /** `expected`: how many bytes will come, if that was said. */
  constructor(expected: number, memory: SpareMemory) {
    this.#memory = memory;
    // Nobody gets much memory for nothing but the announcement of a body.
    if (expected >= LONG_BYTES && SpareMemory.keeps(expected)) this.#taken = memory.take(expected);
  }

  add(chunk: Buffer): void {
    if (this.#taken === undefined) this.#chunks.push(chunk);
    else chunk.copy(this.#taken, this.#length);
    this.#length += chunk.byteLength;
  }

  whole(): Buffer {
    if (this.#taken !== undefined) return this.#taken.subarray(0, this.#length);
    return this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks, this.#length);
  }

  release(): void {
    if (this.#taken !== undefined) this.#memory.give(this.#taken);
    this.#taken = undefined;
  }
}

export const tooMany = (): ApiError =>
  apiErrors.tooManyRequests('too many reviews are under way, please try again later', 1);

const ignore = (): void => {};
