// The answer to a request for an object that could not be converted.
import type { ConversionFailure } from '@instar/convert';
import { ApiError } from '@instar/machinery';

/** Known apart from other errors, for those who can do without the conversion. */
export class ConversionError extends ApiError {
  readonly #explained: string;

  /** `withUid` where the request is about many objects: the uid then says which of them it was (KEP-598). */
  constructor(failure: ConversionFailure, { withUid }: { withUid: boolean }) {
    const explained = failure.explain({ withUid });
    super({ code: 500, message: explained });
    this.#explained = explained;
  }

  /** The same, with what the client can do about it. */
  withRemedy(remedy: string): ApiError {
    return new ApiError({ code: 500, message: `${this.#explained}; ${remedy}` });
  }
}
