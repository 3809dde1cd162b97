// What becomes of the forms that one request asks for: those that were made, and what is done about those
// that could not be.
import { type ConversionFailure, isFailure } from '@instar/convert';
import type { CachedObject } from './cached-object.ts';
import { ConversionError } from './conversion-error.ts';
import type { FormOutcome } from './form-conversions.ts';
import type { ReadOptions } from './resource.ts';

export class FormFailures {
  readonly #objects: readonly CachedObject[];
  readonly #out: Uint8Array[];
  readonly #options: ReadOptions;
  readonly #asStored: (object: CachedObject) => Uint8Array;
  /** The first in the order of the list, which need not be the first in time. */
  #first: { readonly index: number; readonly failure: ConversionFailure } | undefined;

  /** `asStored` is what clients may see of what is stored. */
  constructor(
    objects: readonly CachedObject[],
    out: Uint8Array[],
    options: ReadOptions,
    asStored: (object: CachedObject) => Uint8Array,
  ) {
    this.#objects = objects;
    this.#out = out;
    this.#options = options;
    this.#asStored = asStored;
  }

  /** Whether one object that cannot be converted is the end of it all. */
  get endsWithFirst(): boolean {
    return this.#options.skip === undefined && this.#options.orStored !== true;
  }

  settle(index: number, outcome: FormOutcome): void {
    if (!isFailure(outcome)) {
      this.#out[index] = outcome;
      return;
    }
    const object = this.#objects[index]!;
    if (this.#options.orStored) this.#out[index] = this.#asStored(object);
    this.#options.skip?.(object, outcome);
    if (this.#first === undefined || index < this.#first.index) this.#first = { index, failure: outcome };
  }

  /** Throws, unless the request can do without what is missing. */
  report(): void {
    if (this.#first === undefined || this.#options.skip !== undefined) return;
    const error = new ConversionError(this.#first.failure, { withUid: this.#objects.length > 1 });
    if (!this.#options.orStored) throw error;
    this.#options.warn?.(`metadata is shown as it is stored: ${error.message}`);
  }
}
