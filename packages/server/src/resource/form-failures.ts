// What becomes of the forms that one request asks for: those that were made, and what is done about those that could not be.
import { type ConversionFailure, isFailure } from '@instar/convert';
import type { CachedObject } from './cached-object.ts';
import { ConversionError } from './conversion-error.ts';
import type { FormOutcome } from './form-conversions.ts';
import type { ReadOptions } from './resource.ts';

export class FormFailures {
  readonly #objects: readonly CachedObject[];
  readonly #out: Uint8Array[];
  readonly #options: ReadOptions;
  /** The first in the order of the list, which need not be the first in time. */
  #first: { readonly index: number; readonly failure: ConversionFailure } | undefined;

  constructor(objects: readonly CachedObject[], out: Uint8Array[], options: ReadOptions) {
    this.#objects = objects;
    this.#out = out;
    this.#options = options;
  }

  settle(index: number, outcome: FormOutcome): void {
    if (!isFailure(outcome)) {
      this.#out[index] = outcome;
      return;
    }
    const object = this.#objects[index]!;
    if (this.#options.orStored) this.#out[index] = object.raw;
    this.#options.skip?.(object, outcome.message);
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
