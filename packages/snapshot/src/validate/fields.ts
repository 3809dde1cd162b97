// Reads fields of objects that may be anything: a wrong type is reported, never thrown.
import {
  type FieldError,
  fieldErrors,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  memberOf,
} from '@instar/machinery';

/** Absent and null are the same to the API server, and to us. */
export function fieldOf(object: JsonObject, name: string): JsonValue | undefined {
  return memberOf(object, name) ?? undefined;
}

/** The object at a field that must be one; otherwise undefined, with an error added. */
export function objectAt(
  parent: JsonObject,
  name: string,
  path: string,
  errors: FieldError[],
): JsonObject | undefined {
  const value = fieldOf(parent, name);
  if (isJsonObject(value)) return value;
  errors.push(
    value === undefined
      ? fieldErrors.required(path)
      : fieldErrors.typeInvalid(path, value, 'must be an object'),
  );
  return undefined;
}

/** A text that, if set, must not be empty. */
export function emptyTextErrors(value: JsonValue | undefined, path: string): FieldError[] {
  if (value === undefined) return [];
  if (typeof value !== 'string') return [fieldErrors.typeInvalid(path, value, 'must be a string')];
  return value === '' ? [fieldErrors.invalid(path, value, 'must not be the empty string')] : [];
}

/** Exactly one of the two names, and no empty text for either. */
export function exactlyOneErrors(
  source: JsonObject,
  path: string,
  names: readonly [string, string],
): FieldError[] {
  const [first, second] = names.map((name) => fieldOf(source, name));
  const both = `${path}.${names[0]} and ${path}.${names[1]}`;
  const errors = names.flatMap((name) => emptyTextErrors(fieldOf(source, name), `${path}.${name}`));
  if (first === undefined && second === undefined)
    errors.push(fieldErrors.required(path, `exactly one of ${both} must be set`));
  if (first !== undefined && second !== undefined)
    errors.push(fieldErrors.invalid(path, source, `exactly one of ${both} must be set, not both`));
  return errors;
}
