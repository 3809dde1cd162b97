// Reads a whole body, within its own limit and the one for all bodies together.
import { type ApiError, apiErrors } from '@instar/machinery';
import {
  type BodyConsumer,
  BodyParts,
  type Exchange,
  isAnnouncedBeyond,
  readBody,
  type SpareMemory,
} from '@instar/serving';
import type { InFlight, InFlightReview } from './in-flight.ts';

export interface ReviewReader {
  readonly inFlight: InFlight;
  readonly review: InFlightReview;
  readonly limit: number;
  readonly memory: SpareMemory;
  /** `release` is to be called when the body is no longer needed: its memory is then reused. */
  done(body: Uint8Array, release: () => void): void;
  failed(error: ApiError | 'aborted'): void;
}

export function readReview(
  { body, headers }: Pick<Exchange, 'body' | 'headers'>,
  reader: ReviewReader,
): void {
  const length = headers['content-length'];
  if (isAnnouncedBeyond(reader.limit, length)) {
    reader.failed(tooLarge(reader.limit));
    return;
  }
  const { review } = reader;
  const consumer = new ReviewConsumer(reader, length === undefined ? 0 : Number(length));
  const stop = readBody(body, consumer);
  review.onLate = () => {
    stop();
    consumer.fail(apiErrors.timeout('the body of the request did not arrive in time'));
  };
}

class ReviewConsumer implements BodyConsumer {
  readonly #reader: ReviewReader;
  readonly #parts: BodyParts;

  constructor(reader: ReviewReader, expected: number) {
    this.#reader = reader;
    this.#parts = new BodyParts(expected, reader.memory);
  }

  take(chunk: Buffer): boolean {
    const { inFlight, review, limit } = this.#reader;
    const fits = inFlight.grow(review, chunk.byteLength);
    if (fits && review.bytes <= limit) {
      this.#parts.add(chunk);
      return true;
    }
    this.fail(review.bytes > limit ? tooLarge(limit) : tooMany());
    return false;
  }

  done(): void {
    this.#reader.review.onLate = undefined;
    this.#reader.done(this.#parts.whole(), () => this.#parts.release());
  }

  aborted(): void {
    this.fail('aborted');
  }

  fail(error: ApiError | 'aborted'): void {
    this.#reader.review.onLate = undefined;
    this.#reader.failed(error);
  }
}

const tooLarge = (limit: number): ApiError => apiErrors.entityTooLarge(`limit is ${limit}`);
export const tooMany = (): ApiError =>
  apiErrors.tooManyRequests('too many reviews are in flight, please try again later', 1);
