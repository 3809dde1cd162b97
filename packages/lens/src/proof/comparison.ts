// Compares objects after a conversion, ignoring the conversion's own annotations.
import { deepEqual, isJsonObject, type JsonObject, type JsonValue, memberOf } from '@instar/machinery';
import { type Difference, differencesOf } from './difference.ts';

export interface ComparisonOptions {
  /** Empty lists, empty maps and nulls count as absent, as in programs written in Go. */
  readonly ignoreEmpty: boolean;
}

export class Comparer {
  /** Annotations that the conversion added to an object: its stash. */
  readonly stashKeys = new Set<string>();
  readonly #ignoreEmpty: boolean;

  constructor({ ignoreEmpty }: ComparisonOptions) {
    this.#ignoreEmpty = ignoreEmpty;
  }

  /** Notes the annotations that were not there before. */
  learn(before: JsonValue, after: JsonValue): void {
    const known = annotationsOf(before);
    for (const key of Object.keys(annotationsOf(after)))
      if (!Object.hasOwn(known, key)) this.stashKeys.add(key);
  }

  differences(expected: JsonObject, got: JsonObject): Difference[] {
    if (deepEqual(expected, got)) return [];
    return differencesOf(this.#comparable(expected), this.#comparable(got));
  }

  /** Including the stash. */
  allDifferences(expected: JsonValue, got: JsonValue): Difference[] {
    return this.#ignoreEmpty
      ? differencesOf(withoutEmpty(expected), withoutEmpty(got))
      : differencesOf(expected, got);
  }

  areAlike(expected: JsonObject, got: JsonObject): boolean {
    return this.differences(expected, got).length === 0;
  }

  #comparable(object: JsonObject): JsonValue {
    const { metadata } = object;
    const annotations = Object.entries(annotationsOf(object)).filter(([key]) => !this.stashKeys.has(key));
    if (!isJsonObject(metadata)) return this.#ignoreEmpty ? withoutEmpty(object) : object;
    const { annotations: _all, ...kept } = metadata;
    const plain = {
      ...object,
      metadata: annotations.length === 0 ? kept : { ...kept, annotations: Object.fromEntries(annotations) },
    };
    return this.#ignoreEmpty ? withoutEmpty(plain) : plain;
  }
}

function annotationsOf(object: JsonValue): JsonObject {
  const metadata = isJsonObject(object) ? memberOf(object, 'metadata') : undefined;
  const annotations = isJsonObject(metadata) ? memberOf(metadata, 'annotations') : undefined;
  return isJsonObject(annotations) ? annotations : {};
}

function withoutEmpty(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withoutEmpty(member)] as const);
  return Object.fromEntries(
    members.filter(
      ([, member]) => member !== null && (typeof member !== 'object' || Object.keys(member).length > 0),
    ),
  );
}
