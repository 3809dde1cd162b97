// What a look at a value found. Errors are unique by their text, and `matches` counts the checks that held:
// of the branches of an anyOf upstream reports the one that came closest.

import { quoteGo } from '@instar/go';
import { type FieldError, type FieldPath, fieldErrors, type JsonValue } from '@instar/machinery';

/**
 * A fault under upstream's name for its place: the path from where validation began ("spec.a[0]"), which its
 * texts repeat.
 */
export interface Fault {
  readonly name: string | undefined;
  readonly text: string;
  toFieldError(where: FieldPath): FieldError;
}

export class Findings {
  readonly faults: Fault[] = [];
  matches = 0;
  #texts: Set<string> | undefined;

  add(fault: Fault): void {
    this.#texts ??= new Set();
    if (this.#texts.has(fault.text)) return;
    this.#texts.add(fault.text);
    this.faults.push(fault);
  }

  merge(other: Findings): void {
    for (const fault of other.faults) this.add(fault);
    this.matches += other.matches;
  }

  get areFaultless(): boolean {
    return this.faults.length === 0;
  }

  toFieldErrors(root: FieldPath): FieldError[] {
    return this.faults.map((fault) => fault.toFieldError(placeOf(fault.name, root)));
  }
}

function placeOf(name: string | undefined, root: FieldPath): FieldPath {
  return name === undefined || name === '' || name === '.' ? root : root.child(name.replace(/^\./, ''));
}

function fault(name: string | undefined, text: string, toFieldError: Fault['toFieldError']): Fault {
  return { name, text, toFieldError };
}

/** A fault whose whole text is given. */
const worded = (name: string, value: JsonValue, text: string): Fault =>
  fault(name, text, (where) => fieldErrors.invalid(where, value, text));

const invalid = (name: string, value: JsonValue, problem: string): Fault =>
  worded(name, value, `${name} in body ${problem}`);

/** About the object as a whole as far as upstream's result says, although the text names a field. */
const general = (text: string): Fault =>
  fault(undefined, text, (where) => fieldErrors.invalid(where, '', text));

export const faults = {
  /** `actual` is the name of the value's type, or a string that is not in the format that was expected. */
  type: (name: string, expected: string, actual: string): Fault => {
    const text = `${name} in body must be of type ${expected}: ${quoteGo(actual)}`;
    return fault(name, text, (where) => fieldErrors.typeInvalid(where, actual, text));
  },
  required: (name: string): Fault =>
    fault(name, `${name} in body is required`, (where) => fieldErrors.required(where)),
  unsupported: (name: string, value: JsonValue, supported: readonly string[]): Fault =>
    fault(name, `${name} in body should be one of ${supported.join('\u0000')}`, (where) =>
      fieldErrors.notSupported(where, value, supported),
    ),
  tooLong: (name: string, max: number): Fault =>
    fault(name, `${name} in body should be at most ${max} chars long`, (where) =>
      fieldErrors.tooLong(where, max),
    ),
  tooMany: (name: string, what: 'items' | 'properties', actual: number, max: number): Fault =>
    fault(name, `${name} in body should have at most ${max} ${what}`, (where) =>
      fieldErrors.tooMany(where, actual, max),
    ),
  invalid,
  worded,
  general,
} as const;
