// Timestamps and durations, exact to the nanosecond.

/** Nanoseconds since 1970-01-01T00:00:00Z, between the years 1 and 9999. */
export class Timestamp {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** Nanoseconds, within int64. */
export class Duration {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}
