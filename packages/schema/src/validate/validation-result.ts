// The result of validating a value. Faults are unique by their text, and `matches` counts the checks that
// held: of the branches of an anyOf upstream reports the one with the most.

import { quoteGo } from '@instar/go';
import { type FieldError, type FieldPath, fieldErrors, type JsonValue } from '@instar/machinery';

/**
 * A fault with upstream's name for its location: the path from where validation began ("spec.a[0]"), which
 * its texts repeat.
 */
export interface ValueFault {
  readonly name: string | undefined;
  readonly text: string;
  toFieldError(path: FieldPath): FieldError;
}

export class ValidationResult {
  readonly faults: ValueFault[] = [];
  matches = 0;
  #texts: Set<string> | undefined;

  add(fault: ValueFault): void {
    this.#texts ??= new Set();
    if (this.#texts.has(fault.text)) return;
    this.#texts.add(fault.text);
    this.faults.push(fault);
  }

  merge(other: ValidationResult): void {
    for (const fault of other.faults) this.add(fault);
    this.matches += other.matches;
  }

  get isFaultless(): boolean {
    return this.faults.length === 0;
  }

  toFieldErrors(root: FieldPath): FieldError[] {
    return this.faults.map((fault) => fault.toFieldError(fieldPathOf(fault.name, root)));
  }
}

function fieldPathOf(name: string | undefined, root: FieldPath): FieldPath {
  return name === undefined || name === '' || name === '.' ? root : root.child(name.replace(/^\./, ''));
}

function fault(name: string | undefined, text: string, toFieldError: ValueFault['toFieldError']): ValueFault {
  return { name, text, toFieldError };
}

/** A fault whose whole text is given. */
const worded = (name: string, value: JsonValue, text: string): ValueFault =>
  fault(name, text, (path) => fieldErrors.invalid(path, value, text));

const invalid = (name: string, value: JsonValue, problem: string): ValueFault =>
  worded(name, value, `${name} in body ${problem}`);

/** Upstream reports it for the object as a whole, although the text names a field. */
const general = (text: string): ValueFault =>
  fault(undefined, text, (path) => fieldErrors.invalid(path, '', text));

export const faults = {
  /** `actual` is the name of the value's type, or a string that is not in the format that was expected. */
  type: (name: string, expected: string, actual: string): ValueFault => {
    const text = `${name} in body must be of type ${expected}: ${quoteGo(actual)}`;
    return fault(name, text, (path) => fieldErrors.typeInvalid(path, actual, text));
  },
  required: (name: string): ValueFault =>
    fault(name, `${name} in body is required`, (path) => fieldErrors.required(path)),
  unsupported: (name: string, value: JsonValue, supported: readonly string[]): ValueFault =>
    fault(name, `${name} in body should be one of ${supported.join('\u0000')}`, (path) =>
      fieldErrors.notSupported(path, value, supported),
    ),
  tooLong: (name: string, max: number): ValueFault =>
    fault(name, `${name} in body should be at most ${max} chars long`, (path) =>
      fieldErrors.tooLong(path, max),
    ),
  tooMany: (name: string, what: 'items' | 'properties', actual: number, max: number): ValueFault =>
    fault(name, `${name} in body should have at most ${max} ${what}`, (path) =>
      fieldErrors.tooMany(path, actual, max),
    ),
  invalid,
  worded,
  general,
} as const;
