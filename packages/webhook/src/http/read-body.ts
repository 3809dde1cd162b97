// Reads a body whole, within its own bound and the one for all bodies together.
import { type ApiError, apiErrors } from '@instar/machinery';
import {
  announcesMoreThan,
  BodyParts,
  type BodyTaker,
  type Exchange,
  readBody,
  type SpareMemory,
} from '@instar/serving';
import type { InFlight, InFlightReview } from './in-flight.ts';

export interface ReviewReader {
  readonly inFlight: InFlight;
  readonly place: InFlightReview;
  readonly limit: number;
  readonly memory: SpareMemory;
  /** `release` is for whoever looks at the body no more: its memory then serves for other bodies. */
  done(body: Uint8Array, release: () => void): void;
  failed(error: ApiError | 'gone'): void;
}

export function readReview(
  { body, headers }: Pick<Exchange, 'body' | 'headers'>,
  reader: ReviewReader,
): void {
  const length = headers['content-length'];
  if (announcesMoreThan(reader.limit, length)) {
    reader.failed(tooLarge(reader.limit));
    return;
  }
  const { place } = reader;
  const taker = new ReviewTaker(reader, length === undefined ? 0 : Number(length));
  const stop = readBody(body, taker);
  place.onLate = () => {
    stop();
    taker.fail(apiErrors.timeout('the body of the request did not come in time'));
  };
}

class ReviewTaker implements BodyTaker {
  readonly #reader: ReviewReader;
  readonly #parts: BodyParts;

  constructor(reader: ReviewReader, expected: number) {
    this.#reader = reader;
    this.#parts = new BodyParts(expected, reader.memory);
  }

  take(chunk: Buffer): boolean {
    const { inFlight, place, limit } = this.#reader;
    const fits = inFlight.grow(place, chunk.byteLength);
    if (fits && place.bytes <= limit) {
      this.#parts.add(chunk);
      return true;
    }
    this.fail(place.bytes > limit ? tooLarge(limit) : tooMany());
    return false;
  }

  done(): void {
    this.#reader.place.onLate = undefined;
    this.#reader.done(this.#parts.whole(), () => this.#parts.release());
  }

  broken(): void {
    this.fail('gone');
  }

  fail(error: ApiError | 'gone'): void {
    this.#reader.place.onLate = undefined;
    this.#reader.failed(error);
  }
}

const tooLarge = (limit: number): ApiError => apiErrors.entityTooLarge(`limit is ${limit}`);
export const tooMany = (): ApiError =>
  apiErrors.tooManyRequests('too many reviews are under way, please try again later', 1);
