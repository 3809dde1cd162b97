// The answer to a request for an object that could not be converted.
import type { ConversionFailure } from '@instar/convert';
import { ApiError } from '@instar/machinery';

/** A class of its own, so that callers that can do without the conversion can catch it. */
export class ConversionError extends ApiError {
  readonly #explained: string;

  /** `withUid` if the request is about many objects: the uid then says which of them failed (KEP-598). */
  constructor(failure: ConversionFailure, { withUid }: { withUid: boolean }) {
    const explained = failure.explain({ withUid });
    super({ code: 500, message: explained });
    this.#explained = explained;
  }

  /** The same error with a hint on what the client can do. */
  withRemedy(remedy: string): ApiError {
    return new ApiError({ code: 500, message: `${this.#explained}; ${remedy}` });
  }
}
