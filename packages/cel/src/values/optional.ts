// optional_type(T): a value, or none.
import { Comparable } from './comparable.ts';
import { equalValues } from './equality.ts';
import type { Value } from './value.ts';

/** A value that may be absent. */
export class Optional extends Comparable {
  readonly value: Value | undefined;

  constructor(value: Value | undefined) {
    super();
    this.value = value;
  }

  equals(other: Value): boolean {
    if (!(other instanceof Optional)) return false;
    if (this.value === undefined || other.value === undefined) return this.value === other.value;
    return equalValues(this.value, other.value);
  }

  get hasValue(): boolean {
    return this.value !== undefined;
  }
}

/** The optional without a value. */
export const none = new Optional(undefined);

/** An optional with a value. */
export const some = (value: Value): Optional => new Optional(value);
