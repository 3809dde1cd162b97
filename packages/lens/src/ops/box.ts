// box: a value becomes an object that contains it in one field, as a list of names becomes a list of
// references. unbox: the reverse. The other fields of the object are stashed, and stay when the value
// changes.
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import { LensError } from '../lens-error.ts';
import type { Direction } from '../op/op.ts';
import type { ValueReading } from '../op/reading.ts';
import { type Path, printPath } from '../path/path.ts';
import type { OpKind } from '../reader/op-kind.ts';
import { expectType, type SchemaReading } from '../schema/schema-reading.ts';
import { relocating } from './relocating.ts';

export const box: OpKind = {
  name: 'box',
  parse(reader) {
    reader.only('from', 'to', 'as');
    const field = reader.text('as');
    if (field === undefined) return undefined;
    return relocating(reader, (from, to) => ({
      forward: boxing(field),
      backward: unboxing(field, to),
      schema: schemaOf('forward', field, from, to),
    }));
  },
};

export const unbox: OpKind = {
  name: 'unbox',
  parse(reader) {
    reader.only('from', 'to', 'field');
    const field = reader.text('field');
    if (field === undefined) return undefined;
    return relocating(reader, (from, to) => ({
      forward: unboxing(field, from),
      backward: boxing(field),
      schema: schemaOf('backward', field, to, from),
    }));
  },
};

const boxing = (field: string): ValueReading => ({
  convert: (value) => (value === undefined ? undefined : { [field]: value }),
  convertOver: (value, before) =>
    value === undefined ? undefined : { ...(isJsonObject(before) ? before : {}), [field]: value },
});

const unboxing = (field: string, path: Path): ValueReading => ({
  convert: (object) => (object === undefined || object === null ? undefined : fieldOf(object, field, path)),
});

function fieldOf(object: JsonValue, field: string, path: Path): JsonValue | undefined {
  if (!isJsonObject(object)) throw new LensError('value', 'is no object', printPath(path));
  return Object.hasOwn(object, field) ? (object as JsonObject)[field] : undefined;
}

/** `boxes`: the direction in which the object is created. */
const schemaOf =
  (boxes: Direction, field: string, bare: Path, boxed: Path) =>
  (reading: SchemaReading, direction: Direction, op: string) => {
    const from = direction === boxes ? bare : boxed;
    const schema = reading.at(from, op);
    if (schema === undefined) return undefined;
    if (direction === boxes)
      return { schema: { type: 'object', properties: { [field]: schema }, required: [field] }, isSure: true };
    expectType(reading, from, op, schema, ['object']);
    const others = Object.keys(schema.properties ?? {}).filter((name) => name !== field);
    if (others.length > 0)
      reading.report('lossy', 'info', from, op, `only ${field} is carried, not ${others.join(', ')}`);
    return { schema: schema.properties?.[field] ?? {}, isSure: schema.required?.includes(field) === true };
  };
