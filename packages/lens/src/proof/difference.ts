// Where two values differ: the innermost paths, each with the expected and the actual value.
import { deepEqual, isJsonObject, type JsonObject, type JsonValue, memberOf } from '@instar/machinery';
import { printValuePath, type ValuePath } from './generate/value-path.ts';

/** One value in which two objects differ. */
export interface Difference {
  readonly place: ValuePath;
  /** The path as people write it: spec.a[0].b. */
  readonly path: string;
  /** Absent: nothing was expected there. */
  readonly expected?: JsonValue;
  /** Absent: there was nothing. */
  readonly got?: JsonValue;
}

/** Every value in which two objects differ. */
export function differencesOf(expected: JsonValue, got: JsonValue): Difference[] {
  const found: Difference[] = [];
  compare(expected, got, [], found);
  return found;
}

function compare(
  expected: JsonValue | undefined,
  got: JsonValue | undefined,
  place: ValuePath,
  found: Difference[],
): void {
  if (deepEqual(expected, got)) return;
  if (isJsonObject(expected) && isJsonObject(got)) compareMembers(expected, got, place, found);
  else if (Array.isArray(expected) && Array.isArray(got)) compareItems(expected, got, place, found);
  else
    found.push({
      place,
      path: printValuePath(place),
      ...(expected !== undefined && { expected }),
      ...(got !== undefined && { got }),
    });
}

function compareMembers(expected: JsonObject, got: JsonObject, place: ValuePath, found: Difference[]): void {
  for (const name of new Set([...Object.keys(expected), ...Object.keys(got)]))
    compare(memberOf(expected, name), memberOf(got, name), [...place, name], found);
}

function compareItems(
  expected: readonly JsonValue[],
  got: readonly JsonValue[],
  place: ValuePath,
  found: Difference[],
): void {
  for (let index = 0; index < Math.max(expected.length, got.length); index++)
    compare(expected[index], got[index], [...place, index], found);
}
