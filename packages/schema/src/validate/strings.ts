// The keywords for strings: the first that does not hold is the one reported.
import type { JSONSchemaProps } from '../json-schema-props.ts';
import { compilePattern } from './pattern.ts';
import { faults, type ValueFault } from './validation-result.ts';

export type StringCheck = (value: string) => boolean;

/** Undefined if any string is valid. */
export function stringCheck({ minLength, maxLength, pattern }: JSONSchemaProps): StringCheck | undefined {
  const min = Number(minLength ?? 0);
  const max = Number(maxLength ?? Number.POSITIVE_INFINITY);
  const matches = pattern === undefined || pattern === '' ? undefined : patternCheck(pattern);
  if (min <= 0 && max === Number.POSITIVE_INFINITY) return matches;
  const fits = (value: string) => isLengthWithin(value, min, max);
  return matches === undefined ? fits : (value) => fits(value) && matches(value);
}

function patternCheck(pattern: string): StringCheck {
  const compiled = compilePattern(pattern);
  return compiled instanceof Error ? () => false : (value) => compiled.test(value);
}

export function stringFault(
  { minLength, maxLength, pattern }: JSONSchemaProps,
  value: string,
  name: string,
): ValueFault | undefined {
  if (maxLength !== undefined && !isLengthWithin(value, 0, Number(maxLength)))
    return faults.tooLong(name, Number(maxLength));
  if (minLength !== undefined && !isLengthWithin(value, Number(minLength), Number.POSITIVE_INFINITY)) {
    return faults.invalid(name, value, `should be at least ${minLength} chars long`);
  }
  if (pattern === undefined || pattern === '') return undefined;
  const compiled = compilePattern(pattern);
  if (compiled instanceof Error)
    return faults.invalid(
      name,
      value,
      `should match '${pattern}, but pattern is invalid: ${compiled.message}'`,
    );
  return compiled.test(value) ? undefined : faults.invalid(name, value, `should match '${pattern}'`);
}

/** Lengths are in code points. They are counted only if the number of UTF-16 units does not decide. */
function isLengthWithin(value: string, min: number, max: number): boolean {
  const units = value.length;
  if (units < min || units > max * 2) return false;
  if (units <= max && units >= min * 2) return true;
  const points = codePoints(value);
  return points >= min && points <= max;
}

function codePoints(value: string): number {
  let count = value.length;
  for (let index = 0; index < value.length - 1; index++) {
    const unit = value.charCodeAt(index);
    if (unit >= 0xd800 && unit < 0xdc00 && (value.charCodeAt(index + 1) & 0xfc00) === 0xdc00) {
      count--;
      index++;
    }
  }
  return count;
}
