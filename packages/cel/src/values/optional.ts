// optional_type(T): a value, or none.
import { Comparable } from './comparable.ts';
import { equalValues } from './equality.ts';
import type { Value } from './value.ts';

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

export const none = new Optional(undefined);
export const some = (value: Value): Optional => new Optional(value);
