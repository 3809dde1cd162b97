// Conversion by a lens, without a network. What the target version cannot hold is stashed in the annotation
// that the lens knows; the store decides whether clients see it.
import { LensError, type LensSet } from '@instar/lens';
import { gvkOf, type KubeObject, printGvk } from '@instar/machinery';
import type { ImmediateConverter } from './converter.ts';
import { ConversionFailure } from './failure.ts';
import { sourceOf } from './source.ts';

/** Converts by a lens, without waiting. */
export class LensConverter implements ImmediateConverter {
  readonly usesStash = true;
  readonly #lens: LensSet;

  constructor(lens: LensSet) {
    this.#lens = lens;
  }

  /** Throws a ConversionFailure. */
  convertNow(object: KubeObject, toApiVersion: string): KubeObject {
    try {
      return this.#lens.convert(object, toApiVersion);
    } catch (error) {
      if (!(error instanceof LensError)) throw error;
      const message = `conversion lens ${this.#lens.name} for ${printGvk(gvkOf(object.apiVersion, object.kind))} failed: ${error.message}`;
      throw new ConversionFailure(
        message,
        error.kind === 'unknown-version' ? 'unknown-version' : 'lens',
        sourceOf(object),
        toApiVersion,
      );
    }
  }
}
