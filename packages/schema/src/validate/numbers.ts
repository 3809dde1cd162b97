// The keywords for numbers. Upstream compares int64 with limits truncated to integers and float64 with the
// exact limits, and reports a limit that is itself out of the range of the type whenever a value is compared
// with it.

import { printFloat } from '@instar/go';
import type { JSONSchemaProps } from '../json-schema-props.ts';
import { isAlmostInteger, isInteger } from './types.ts';
import { faults, type ValueFault } from './validation-result.ts';

const MIN_INT64 = -(2 ** 63);

export class NumberRules {
  readonly #multipleOf: number | undefined;
  readonly #minimum: number | undefined;
  readonly #maximum: number | undefined;
  readonly #exclusiveMinimum: boolean;
  readonly #exclusiveMaximum: boolean;
  readonly #type: string;
  readonly #format: string;
  readonly #hasOddLimit: boolean;
  readonly #unlimited: boolean;

  /** `types` and `format` as validation uses them: a format counts only with a single type. */
  constructor(props: JSONSchemaProps, types: readonly string[], format: string) {
    const type = types.length === 1 ? types[0]! : '';
    const formats = type === 'integer' ? ['int32', 'int64'] : type === 'number' ? ['float', 'double'] : [];
    // Upstream's limits are float64, however large the integer in the schema is.
    this.#multipleOf = asFloat(props.multipleOf);
    this.#minimum = asFloat(props.minimum);
    this.#maximum = asFloat(props.maximum);
    this.#exclusiveMinimum = props.exclusiveMinimum === true;
    this.#exclusiveMaximum = props.exclusiveMaximum === true;
    this.#type = type;
    this.#format = formats.includes(format) ? format : '';
    const limits = [this.#multipleOf, this.#minimum, this.#maximum];
    this.#unlimited = limits.every((limit) => limit === undefined);
    this.#hasOddLimit = limits.some((limit) => limit !== undefined && !this.#isInRange(limit));
  }

  accepts(value: number | bigint): boolean {
    if (!this.#isInRange(value)) return false;
    if (this.#unlimited) return true;
    return (
      !this.#hasOddLimit &&
      this.#isMultiple(value) &&
      this.#isAboveMinimum(value) &&
      this.#isBelowMaximum(value)
    );
  }

  faults(value: number | bigint, name: string): ValueFault[] {
    const found: ValueFault[] = [];
    if (!this.#isInRange(value)) found.push(this.#rangeFault('Checked', name));
    const check = (
      limit: number | undefined,
      title: string,
      holds: boolean,
      problem: (limit: string) => ValueFault,
    ): void => {
      if (limit === undefined) return;
      const isOdd = !this.#isInRange(limit);
      if (isOdd) found.push(this.#rangeFault(title, name));
      if (!holds)
        found.push(problem(isInteger(value) && !isOdd ? truncated(limit).toString() : printFloat(limit)));
    };
    check(this.#multipleOf, 'MultipleOf', this.#isMultiple(value), (limit) =>
      Number(limit) <= 0
        ? faults.worded(
            name,
            Number(limit),
            `factor MultipleOf declared for ${name} must be positive: ${limit}`,
          )
        : faults.invalid(name, value, `should be a multiple of ${limit}`),
    );
    check(this.#minimum, 'Minimum boundary', this.#isAboveMinimum(value), (limit) =>
      faults.invalid(
        name,
        value,
        `should be greater than ${this.#exclusiveMinimum ? '' : 'or equal to '}${limit}`,
      ),
    );
    check(this.#maximum, 'Maximum boundary', this.#isBelowMaximum(value), (limit) =>
      faults.invalid(
        name,
        value,
        `should be less than ${this.#exclusiveMaximum ? '' : 'or equal to '}${limit}`,
      ),
    );
    return found;
  }

  #rangeFault(title: string, name: string): ValueFault {
    const format = this.#format === '' ? '(default format)' : `with format ${this.#format}`;
    return faults.general(`${title} value must be of type ${this.#type} ${format} in ${name}`);
  }

  #isInRange(value: number | bigint): boolean {
    if (this.#type === 'integer') {
      if (typeof value === 'number' && !Number.isInteger(value)) return false;
      return this.#format === 'int32'
        ? value >= -2147483648 && value <= 2147483647
        : value >= MIN_INT64 && value < 2 ** 63;
    }
    return this.#format !== 'float' || Number.isFinite(Math.fround(Number(value)));
  }

  #isMultiple(value: number | bigint): boolean {
    const multipleOf = this.#multipleOf;
    if (multipleOf === undefined) return true;
    if (!this.#comparesAsInteger(value, multipleOf)) {
      if (multipleOf <= 0) return false;
      const data = Number(value);
      return isAlmostInteger(multipleOf < 1 ? (1 / multipleOf) * data : data / multipleOf);
    }
    const factor = truncated(multipleOf);
    if (factor <= 0) return false;
    return typeof value === 'bigint' ? value % BigInt(factor) === 0n : (value as number) % factor === 0;
  }

  #isAboveMinimum(value: number | bigint): boolean {
    const minimum = this.#minimum;
    if (minimum === undefined) return true;
    const limit = this.#comparesAsInteger(value, minimum) ? truncated(minimum) : minimum;
    return this.#exclusiveMinimum ? value > limit : value >= limit;
  }

  #isBelowMaximum(value: number | bigint): boolean {
    const maximum = this.#maximum;
    if (maximum === undefined) return true;
    const limit = this.#comparesAsInteger(value, maximum) ? truncated(maximum) : maximum;
    return this.#exclusiveMaximum ? value < limit : value <= limit;
  }

  #comparesAsInteger(value: number | bigint, limit: number): boolean {
    return isInteger(value) && this.#isInRange(limit);
  }
}

function asFloat(limit: number | bigint | undefined): number | undefined {
  return limit === undefined ? undefined : Number(limit);
}

/** A float64 converted to int64; what does not fit becomes the smallest int64, as on amd64. */
function truncated(limit: number): number {
  const whole = Math.trunc(limit);
  return whole >= 2 ** 63 || whole < MIN_INT64 ? MIN_INT64 : whole;
}
