// cast: the same value as another type: "80" and 80, "true" and true. What cannot be cast is refused, or
// replaced by a value that the author names.
import { encodeJson, type JsonValue } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import type { ScalarType } from '../document.ts';
import { LensError } from '../lens-error.ts';
import type { Direction } from '../op/op.ts';
import { fresh, type ValueReading } from '../op/reading.ts';
import { type Path, printPath } from '../path/path.ts';
import type { OpKind } from '../reader/op-kind.ts';
import { type OpReader, readerBelow } from '../reader/op-reader.ts';
import { expectType, type SchemaReading } from '../schema/schema-reading.ts';
import { relocation } from './relocating.ts';

const TYPES = ['string', 'integer', 'number', 'boolean'] as const;

export const cast: OpKind = {
  name: 'cast',
  parse(reader) {
    reader.only('path', 'from', 'to', 'otherwise');
    const path = reader.path('path');
    const [from, to] = [typeNamed(reader, 'from'), typeNamed(reader, 'to')];
    const otherwise = reader.has('otherwise') ? readerBelow(reader, 'otherwise') : undefined;
    otherwise?.only('forward', 'backward');
    if (path === undefined || from === undefined || to === undefined) return undefined;
    if (from === to) return reader.fail('to', 'must be another type');
    return relocation(reader, path, path, 'path', (inner) => ({
      forward: casting(inner, to, otherwise?.value('forward')),
      backward: casting(inner, from, otherwise?.value('backward')),
      schema: schemaOf(inner, from, to),
    }));
  },
};

function typeNamed(reader: OpReader, field: string): ScalarType | undefined {
  const name = reader.text(field);
  if (name === undefined) return undefined;
  return TYPES.find((type) => type === name) ?? reader.fail(field, `must be one of ${TYPES.join(', ')}`);
}

const casting = (path: Path, to: ScalarType, otherwise: JsonValue | undefined): ValueReading => ({
  convert: (value) => {
    if (value === undefined || value === null) return undefined;
    const result = castOf(value, to) ?? fresh(otherwise);
    if (result === undefined)
      throw new LensError('value', `${encodeJson(value)} cannot be read as ${to}`, printPath(path));
    return result;
  },
});

const INTEGER = /^[+-]?\d{1,19}$/;
const NUMBER = /^[+-]?\d{1,30}(\.\d{1,30})?([eE][+-]?\d{1,3})?$/;
const INT64 = 2n ** 63n;

/** Undefined if it cannot be. */
function castOf(value: JsonValue, to: ScalarType): JsonValue | undefined {
  if (typeof value === 'object') return undefined; // null is one
  switch (to) {
    case 'string':
      return typeof value === 'string' ? value : String(value);
    case 'boolean':
      return typeof value === 'boolean'
        ? value
        : value === 'true' || value === 1
          ? true
          : value === 'false' || value === 0
            ? false
            : undefined;
    case 'integer':
      return integerOf(value);
    case 'number':
      return typeof value === 'string'
        ? NUMBER.test(value)
          ? Number(value)
          : undefined
        : typeof value === 'boolean'
          ? undefined
          : value;
  }
}

function integerOf(value: string | number | bigint | boolean): JsonValue | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'number') return Number.isInteger(value) ? value : Math.trunc(value);
  if (typeof value === 'bigint') return value;
  if (!INTEGER.test(value)) return undefined;
  const exact = BigInt(value.replace('+', ''));
  if (exact >= INT64 || exact < -INT64) return undefined;
  return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
}

const schemaOf =
  (path: Path, left: ScalarType, right: ScalarType) =>
  (reading: SchemaReading, direction: Direction, op: string) => {
    const [from, to] = direction === 'forward' ? [left, right] : [right, left];
    const schema = reading.at(path, op);
    if (schema === undefined) return undefined;
    expectType(reading, path, op, schema, [from]);
    if (from === 'string' || to === 'boolean' || (from === 'number' && to === 'integer'))
      reading.report('lossy', 'info', path, op, `not every ${from} is the only one with its ${to}`);
    return { schema: { type: to } satisfies JSONSchemaProps, isSure: true };
  };
