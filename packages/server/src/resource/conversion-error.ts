// The answer to a request for an object that could not be converted.
import type { ConversionFailure } from '@instar/convert';
import { ApiError } from '@instar/machinery';

/** Known apart from other errors, for those who can do without the conversion. */
export class ConversionError extends ApiError {
  /** `withUid` where the request is about many objects: the uid then says which of them it was (KEP-598). */
  constructor(failure: ConversionFailure, { withUid }: { withUid: boolean }) {
    super({ code: 500, message: failure.explain({ withUid }) });
  }
}
