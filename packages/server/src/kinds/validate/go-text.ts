// Values in errors as upstream prints them: structs in the order of their fields, which decoded objects have.
import type { FieldError, JsonValue } from '@instar/machinery';

const HTML = /[<>&\u2028\u2029]/g;

/** json.Marshal of a struct whose fields are in order already. */
export const goText = (value: unknown): string =>
  JSON.stringify(value ?? null).replace(HTML, (at) => `\\u${at.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * An error whose value is a struct that has no JSON names upstream: it prints all fields under their Go
 * names, in the order of declaration.
 */
export const withGoFields = (
  error: FieldError,
  fields: readonly (readonly [string, unknown])[],
): FieldError => ({ ...error, valueText: goText(goFields(fields)) });

export const goFields = (fields: readonly (readonly [string, unknown])[]): JsonValue =>
  Object.fromEntries(fields.map(([name, value]) => [name, (value ?? null) as JsonValue]));
