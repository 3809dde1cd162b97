// wrap: a value becomes a list that contains it. head: a list becomes its first item. Each is the reverse of
// the other; the rest of the list is stashed, and stays in position when the head changes.
import { LensError } from '../lens-error.ts';
import type { Direction } from '../op/op.ts';
import type { ValueReading } from '../op/reading.ts';
import { type Path, printPath } from '../path/path.ts';
import type { OpKind } from '../reader/op-kind.ts';
import { expectType, type SchemaReading } from '../schema/schema-reading.ts';
import { relocating } from './relocating.ts';

export const wrap: OpKind = {
  name: 'wrap',
  parse(reader) {
    reader.only('from', 'to');
    return relocating(reader, (from, to) => ({
      forward: WRAPPING,
      backward: headOf(to),
      schema: schemaOf('forward', from, to),
    }));
  },
};

export const head: OpKind = {
  name: 'head',
  parse(reader) {
    reader.only('from', 'to');
    return relocating(reader, (from, to) => ({
      forward: headOf(from),
      backward: WRAPPING,
      schema: schemaOf('backward', to, from),
    }));
  },
};

const WRAPPING: ValueReading = {
  convert: (value) => (value === undefined ? undefined : [value]),
  convertOver: (value, before) =>
    value === undefined ? undefined : [value, ...(Array.isArray(before) ? before.slice(1) : [])],
};

const headOf = (path: Path): ValueReading => ({
  convert: (list) => {
    if (list === undefined || list === null) return undefined;
    if (!Array.isArray(list)) throw new LensError('value', 'is no list', printPath(path));
    return list[0];
  },
});

/** `wraps`: the direction in which the list is created. */
const schemaOf =
  (wraps: Direction, one: Path, many: Path) => (reading: SchemaReading, direction: Direction, op: string) => {
    const [from, to] = direction === wraps ? [one, many] : [many, one];
    const schema = reading.at(from, op);
    if (schema === undefined) return undefined;
    if (direction === wraps)
      return { schema: { type: 'array', items: schema, minItems: 1, maxItems: 1 }, isSure: true };
    expectType(reading, from, op, schema, ['array']);
    reading.report('lossy', 'info', from, op, `only the first item goes into ${printPath(to)}`);
    const { items } = schema;
    return {
      schema: items === undefined || Array.isArray(items) ? {} : items,
      isSure: (schema.minItems ?? 0) > 0,
    };
  };
