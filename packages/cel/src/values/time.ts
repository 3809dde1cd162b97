// Timestamps and durations, exact to the nanosecond.

/** Nanoseconds since 1970-01-01T00:00:00Z, between the years 1 and 9999. */
export class Timestamp {
  readonly nanos: bigint;
  /**
   * The offset from UTC that it was written with, in seconds to the east. It affects only its parts and its
   * text.
   */
  readonly offset: number;

  constructor(nanos: bigint, offset = 0) {
    this.nanos = nanos;
    this.offset = offset;
  }
}

/** Nanoseconds, within int64. */
export class Duration {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}
