// The unknown fields of a message: extensions are compared by value, all others as bytes.
import type { Message, UnknownField } from '@bufbuild/protobuf';
import { equalValues } from '../values/equality.ts';
import type { MessageField } from './message-field.ts';

export function sameUnknown(
  a: Message,
  b: Message,
  extensionOf: (number: number) => MessageField | undefined,
): boolean {
  const [left, right] = [a.$unknown ?? [], b.$unknown ?? []];
  if (left.length === 0 && right.length === 0) return true;
  const numbers = new Set([...left, ...right].map((field) => field.no));
  return [...numbers].every(
    (number) => extensionOf(number)?.same(a, b) ?? sameBytes(ofNumber(left, number), ofNumber(right, number)),
  );
}

const ofNumber = (fields: readonly UnknownField[], number: number): readonly UnknownField[] =>
  fields.filter((field) => field.no === number);

function sameBytes(a: readonly UnknownField[], b: readonly UnknownField[]): boolean {
  return (
    a.length === b.length &&
    a.every(
      (field, index) =>
        field.wireType === b[index]!.wireType &&
        equalValues(field.data as Uint8Array, b[index]!.data as Uint8Array),
    )
  );
}
