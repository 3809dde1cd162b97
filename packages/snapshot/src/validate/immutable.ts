// An immutable field, reported with its old value: users then see what to restore.
import { deepEqual, fieldErrors, isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import type { ImmutabilityRule } from '@instar/webhook';
import { fieldOf } from './fields.ts';

export interface ImmutableOptions {
  /** Only if this holds for the old value. */
  readonly when?: (before: JsonValue | undefined) => boolean;
}

/** `path` is dotted: `spec.source.volumeHandle`. */
export function immutable(path: string, options: ImmutableOptions = {}): ImmutabilityRule<JsonObject> {
  const names = path.split('.');
  return (oldObject, object) => {
    const [before, after] = [valueAt(oldObject, names), valueAt(object, names)];
    if (deepEqual(before, after) || options.when?.(before) === false) return [];
    return [
      fieldErrors.invalid(
        path,
        after ?? null,
        `field is immutable; it was ${before === undefined ? 'not set' : JSON.stringify(before)}`,
      ),
    ];
  };
}

function valueAt(object: JsonObject, names: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const name of names) value = isJsonObject(value) ? fieldOf(value, name) : undefined;
  return value;
}
