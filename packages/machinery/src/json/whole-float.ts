// Numbers that are whole but written as floats: 1.0, 1e3. JavaScript has one kind of number, Go two: until
// it has stored the object, kube-apiserver takes such a number for a float64, which integers with rules, sets
// and the fields of Go's types are not. What was written so is kept beside the value, by paths, and shown
// only to those who must know, in a copy.
import { setMember } from '../deep-copy.ts';
import type { JsonObject, JsonValue } from '../json-value.ts';

/** Where a float with a whole value is, and how it was written. */
export interface WholeFloatAt {
  readonly path: readonly (string | number)[];
  readonly text: string;
}

/** A text with more of them is read without: their paths could be many times as long as the text. */
export const MAX_WHOLE_FLOATS = 1_000;

/** Stands for a number that was written as a float; only in what `withWholeFloats` returns. */
export class WholeFloat extends Number {
  readonly #text: string;

  constructor(value: number, text: string) {
    super(value);
    this.#text = text;
  }

  get text(): string {
    return this.#text;
  }
}

/** The value itself if there are none; otherwise a copy of what is above them. */
export function withWholeFloats<T extends JsonValue>(
  value: T,
  floats: readonly WholeFloatAt[] | undefined,
): T {
  if (floats === undefined || floats.length === 0) return value;
  const copies = new Map<JsonValue, JsonValue>();
  let root: JsonValue = value;
  for (const { path, text } of floats) root = marked(root, path, 0, text, copies);
  return root as T;
}

function marked(
  value: JsonValue,
  path: WholeFloatAt['path'],
  depth: number,
  text: string,
  copies: Map<JsonValue, JsonValue>,
): JsonValue {
  // Something else may have been put in its place.
  if (depth === path.length)
    return value === Number(text) ? (new WholeFloat(value, text) as unknown as JsonValue) : value;
  const key = path[depth]!;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return value;
  const member = (value as JsonObject)[key]!;
  const next = marked(member, path, depth + 1, text, copies);
  if (next === member) return value;
  const copy = copies.get(value) ?? (Array.isArray(value) ? [...value] : { ...value });
  copies.set(copy, copy);
  if (Array.isArray(copy)) copy[key as number] = next;
  else setMember(copy as JsonObject, key as string, next);
  return copy;
}

/** The numbers again, in place. */
export function withoutWholeFloats<T extends JsonValue>(value: T): T {
  if (value instanceof WholeFloat) return Number(value) as unknown as T;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) for (let i = 0; i < value.length; i++) value[i] = withoutWholeFloats(value[i]!);
  else
    for (const key of Object.keys(value))
      setMember(value as JsonObject, key, withoutWholeFloats((value as JsonObject)[key]!));
  return value;
}

/** Whether a JSON text may have a float, in a string or not. */
export const mayHoldFloat = (text: string): boolean => FLOAT.test(text);
const FLOAT = /[:[,]\s*-?\d+[.eE]/;
