// Writes OpenAPI's JSON as the protobuf that gnostic defines for it. The layout of a message says how each
// member of the JSON is written.
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import type { BackwardWriter } from '../../../wire/protobuf/backward-writer.ts';
import { printAnyYaml } from './any-yaml.ts';

export type FieldWriter = (value: JsonValue, out: BackwardWriter) => void;

export interface MessageLayout {
  readonly fields: ReadonlyMap<string, FieldWriter>;
  /** The field for members with a name like x-…. */
  readonly extensions?: number;
}

export const layout = (
  fields: Readonly<Record<string, FieldWriter>>,
  extensions?: number,
): MessageLayout => ({
  fields: new Map(Object.entries(fields)),
  ...(extensions !== undefined && { extensions }),
});

export function writeMessage(
  value: JsonValue,
  { fields, extensions }: MessageLayout,
  out: BackwardWriter,
): void {
  const members = Object.entries(value as JsonObject);
  for (let index = members.length - 1; index >= 0; index--) {
    const [name, member] = members[index]!;
    const write = fields.get(name);
    if (write !== undefined) write(member, out);
    else if (extensions !== undefined && name.startsWith('x-'))
      named(extensions, anyValue(2))({ [name]: member }, out);
  }
}

export const text =
  (field: number): FieldWriter =>
  (value, out) =>
    out.text(field, String(value));

export const bool =
  (field: number): FieldWriter =>
  (value, out) =>
    out.bool(field, value === true);

export const integer =
  (field: number): FieldWriter =>
  (value, out) =>
    out.integer(field, value as number);

export const double =
  (field: number): FieldWriter =>
  (value, out) =>
    out.double(field, Number(value));

/** Any value, as YAML. */
export const anyValue =
  (field: number): FieldWriter =>
  (value, out) =>
    out.message(field, () => out.text(2, printAnyYaml(value)));

/** The layout is looked up late, since layouts are recursive. */
export const message =
  (field: number, of: () => MessageLayout): FieldWriter =>
  (value, out) =>
    out.message(field, () => writeMessage(value, of(), out));

/** A message around a field: gnostic has one for every choice and every map. */
export const wrapped =
  (field: number, write: FieldWriter): FieldWriter =>
  (value, out) =>
    out.message(field, () => write(value, out));

export const repeated =
  (write: FieldWriter): FieldWriter =>
  (value, out) => {
    const items = value as JsonValue[];
    for (let index = items.length - 1; index >= 0; index--) write(items[index]!, out);
  };

/** Each member as a message of its name (field 1) and its value. */
export const named =
  (field: number, write: FieldWriter): FieldWriter =>
  (value, out) => {
    const members = Object.entries(value as JsonObject);
    for (let index = members.length - 1; index >= 0; index--) {
      const [name, member] = members[index]!;
      out.message(field, () => {
        write(member, out);
        out.text(1, name);
      });
    }
  };

export const isReference = (value: JsonValue): boolean => isJsonObject(value) && Object.hasOwn(value, '$ref');

export const choice =
  (isFirst: (value: JsonValue) => boolean, first: FieldWriter, second: FieldWriter): FieldWriter =>
  (value, out) =>
    (isFirst(value) ? first : second)(value, out);
