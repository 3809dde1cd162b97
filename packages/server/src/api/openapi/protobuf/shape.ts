// How JSON of OpenAPI becomes the protobuf that gnostic defines for it: a message is described by what each
// member of the JSON is written as.
import { encodeJson, isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import type { BackwardWriter } from '../../../wire/protobuf/backward-writer.ts';

export type Part = (value: JsonValue, out: BackwardWriter) => void;

export interface MessageLayout {
  readonly parts: ReadonlyMap<string, Part>;
  /** The field that members with a name like x-… go to. */
  readonly extensions?: number;
}

export const shape = (parts: Readonly<Record<string, Part>>, extensions?: number): MessageLayout => ({
  parts: new Map(Object.entries(parts)),
  ...(extensions !== undefined && { extensions }),
});

export function writeShape(
  value: JsonValue,
  { parts, extensions }: MessageLayout,
  out: BackwardWriter,
): void {
  const members = Object.entries(value as JsonObject);
  for (let index = members.length - 1; index >= 0; index--) {
    const [name, member] = members[index]!;
    const part = parts.get(name);
    if (part !== undefined) part(member, out);
    else if (extensions !== undefined && name.startsWith('x-'))
      named(extensions, anyJson(2))({ [name]: member }, out);
  }
}

export const text =
  (field: number): Part =>
  (value, out) =>
    out.text(field, String(value));

export const bool =
  (field: number): Part =>
  (value, out) =>
    out.bool(field, value === true);

export const integer =
  (field: number): Part =>
  (value, out) =>
    out.integer(field, value as number);

export const double =
  (field: number): Part =>
  (value, out) =>
    out.double(field, Number(value));

/** Any value, as YAML; JSON is YAML. */
export const anyJson =
  (field: number): Part =>
  (value, out) =>
    out.message(field, () => out.text(2, encodeJson(value)));

/** The shape is looked up late: shapes hold themselves. */
export const message =
  (field: number, of: () => MessageLayout): Part =>
  (value, out) =>
    out.message(field, () => writeShape(value, of(), out));

/** A message around what the part writes: gnostic has one for every choice and every map. */
export const wrapped =
  (field: number, part: Part): Part =>
  (value, out) =>
    out.message(field, () => part(value, out));

export const repeated =
  (part: Part): Part =>
  (value, out) => {
    const items = value as JsonValue[];
    for (let index = items.length - 1; index >= 0; index--) part(items[index]!, out);
  };

/** Each member as a message of its name (field 1) and its value. */
export const named =
  (field: number, part: Part): Part =>
  (value, out) => {
    const members = Object.entries(value as JsonObject);
    for (let index = members.length - 1; index >= 0; index--) {
      const [name, member] = members[index]!;
      out.message(field, () => {
        part(member, out);
        out.text(1, name);
      });
    }
  };

export const isReference = (value: JsonValue): boolean => isJsonObject(value) && Object.hasOwn(value, '$ref');

export const choice =
  (isFirst: (value: JsonValue) => boolean, first: Part, second: Part): Part =>
  (value, out) =>
    (isFirst(value) ? first : second)(value, out);
