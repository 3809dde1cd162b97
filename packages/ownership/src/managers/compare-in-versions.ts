// The difference between two states of an object, in each version in which it has an owner.
import type { JsonObject } from '@instar/machinery';
import type { FieldSet } from '../fieldset/field-set.ts';
import { compareObjects, type FieldChanges } from '../typed/compare.ts';
import type { MergeType } from '../typed/merge-type.ts';
import { allInVersion, type Converting, type OwnerVersions } from './versions.ts';

/** The version exists, but the object could not be converted to it now. */
export class ConversionFailure {
  readonly cause: unknown;

  constructor(cause: unknown) {
    this.cause = cause;
  }
}

/** 'gone': the version no longer exists. */
export type VersionedComparison = FieldChanges | 'gone' | ConversionFailure;

export class ComparisonsByVersion {
  readonly #known = new Map<string, VersionedComparison>();
  readonly #before: JsonObject;
  readonly #after: JsonObject;
  readonly #versions: OwnerVersions;
  readonly #ignored: FieldSet;

  constructor(before: JsonObject, after: JsonObject, versions: OwnerVersions, ignored: FieldSet) {
    this.#before = before;
    this.#after = after;
    this.#versions = versions;
    this.#ignored = ignored;
  }

  /** In the version that the objects are in. */
  own(apiVersion: string, type: MergeType): FieldChanges {
    const comparison = compareObjects(this.#before, this.#after, type, this.#ignored);
    this.#known.set(apiVersion, comparison);
    return comparison;
  }

  *of(apiVersion: string): Converting<VersionedComparison> {
    let comparison = this.#known.get(apiVersion);
    if (comparison === undefined)
      this.#known.set(apiVersion, (comparison = yield* this.#compareIn(apiVersion)));
    return comparison;
  }

  *#compareIn(apiVersion: string): Converting<VersionedComparison> {
    const type = this.#versions.typeOf(apiVersion);
    if (type === undefined) return 'gone';
    try {
      const [before, after] = yield* allInVersion([this.#before, this.#after], apiVersion);
      return compareObjects(before!, after!, type, this.#ignored);
    } catch (error) {
      return new ConversionFailure(error);
    }
  }
}
