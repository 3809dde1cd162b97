// Fields that never change once an object exists.
import {
  deepEqual,
  type FieldError,
  fieldErrors,
  isJsonObject,
  type JsonValue,
  memberOf,
} from '@instar/machinery';

/** What an update must not change. Called even if the objects are otherwise invalid. */
export type ImmutabilityRule<T> = (oldObject: T, object: T) => readonly FieldError[];

/** When an immutable field may still be set, and what a denial says. */
export interface ImmutableFieldOptions {
  /** The field may be set while it is unset: absent, null or empty. */
  readonly onceSet?: boolean;
  readonly message?: string;
}

/** `path` is dotted: `spec.source.persistentVolumeClaimName`. */
export function immutableField<T>(path: string, options: ImmutableFieldOptions = {}): ImmutabilityRule<T> {
  const names = path.split('.');
  const { onceSet = false, message = 'field is immutable' } = options;
  return (oldObject, object) => {
    const [before, after] = [valueAt(oldObject, names), valueAt(object, names)];
    if (deepEqual(before, after) || (onceSet && isUnset(before))) return [];
    return [fieldErrors.invalid(path, after ?? null, message)];
  };
}

function valueAt(object: unknown, names: readonly string[]): JsonValue | undefined {
  let value = object as JsonValue | undefined;
  for (const name of names) {
    if (!isJsonObject(value)) return undefined;
    value = memberOf(value, name);
  }
  return value;
}

const isUnset = (value: JsonValue | undefined): boolean =>
  value === undefined || value === null || value === '';
