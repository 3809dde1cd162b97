// add: a field that only the new version has. remove: one that only the old version has. Each is the reverse
// of the other.
import { encodeJson, type JsonValue } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import { InPlaceOp } from '../op/in-place-op.ts';
import type { Direction, Op } from '../op/op.ts';
import { fresh, type ValueReading } from '../op/reading.ts';
import { isWildcard, type Path, printPath } from '../path/path.ts';
import type { OpKind } from '../reader/op-kind.ts';
import type { OpReader } from '../reader/op-reader.ts';
import { throughWildcards } from '../reader/through-wildcards.ts';
import type { SchemaReading } from '../schema/schema-reading.ts';

export const add: OpKind = {
  name: 'add',
  parse(reader) {
    reader.only('path', 'default');
    return comingField(reader, 'forward', []);
  },
};

export const remove: OpKind = {
  name: 'remove',
  parse(reader) {
    reader.only('path', 'default', 'belongsTo');
    const belongsTo = reader.has('belongsTo') ? reader.paths('belongsTo') : [];
    return belongsTo === undefined ? undefined : comingField(reader, 'backward', belongsTo);
  },
};

/** `comes`: the direction in which the field appears. */
function comingField(reader: OpReader, comes: Direction, belongsTo: readonly Path[]): Op | undefined {
  const path = reader.path('path');
  if (path === undefined) return undefined;
  if (path.length === 0 || isWildcard(path.at(-1)!))
    return reader.fail('path', 'must name a field, not an item of a list or a value of a map');
  const initial = reader.value('default');
  const text = `${reader.kind} ${printPath(path)}`;
  const appearing: ValueReading = { convert: (value) => value ?? fresh(initial) };
  const vanishing: ValueReading = { convert: () => undefined };
  const [forward, backward] = comes === 'forward' ? [appearing, vanishing] : [vanishing, appearing];
  const key = reader.key([path]);
  return throughWildcards(
    reader,
    'belongsTo',
    [path, ...belongsTo],
    (inner, ...beside) =>
      new InPlaceOp({
        key,
        text,
        path: inner!,
        forward,
        backward,
        belongsTo: beside,
        readSchema: schemaOf(text, inner!, comes, initial),
      }),
  );
}

const schemaOf =
  (text: string, path: Path, comes: Direction, initial: JsonValue | undefined) =>
  (reading: SchemaReading, direction: Direction) => {
    if (direction === comes) appear(reading, text, path, initial);
    else vanish(reading, text, path, initial);
  };

function appear(reading: SchemaReading, text: string, path: Path, initial: JsonValue | undefined): void {
  const parent = path.slice(0, -1);
  if (reading.declares(path))
    reading.report(
      'lossy',
      'warning',
      path,
      text,
      'is in the schema of both versions: one of them never shows it',
    );
  else if (!reading.has(parent))
    reading.report(
      'unknown-field',
      'error',
      path,
      text,
      `is put only where ${printPath(parent)} is, which is not in the schema`,
    );
  else if (initial !== undefined) reading.put(path, schemaOfValue(initial), path.length, text);
  else reading.mention(path, text);
}

function vanish(reading: SchemaReading, text: string, path: Path, initial: JsonValue | undefined): void {
  if (reading.at(path, text) === undefined) return;
  const beyond = initial === undefined ? '' : `, unless it is ${encodeJson(initial)}`;
  reading.report('lossy', 'info', path, text, `has no counterpart in the other version${beyond}`);
  reading.drop(path);
}

/** The schema of a value's type. */
export function schemaOfValue(value: JsonValue): JSONSchemaProps {
  if (value === null) return { nullable: true };
  if (Array.isArray(value))
    return { type: 'array', ...(value.length > 0 && { items: schemaOfValue(value[0]!) }) };
  switch (typeof value) {
    case 'object':
      return {
        type: 'object',
        properties: Object.fromEntries(Object.keys(value).map((key) => [key, schemaOfValue(value[key]!)])),
        required: Object.keys(value),
      };
    case 'bigint':
      return { type: 'integer', enum: [value] };
    case 'number':
      return { type: Number.isInteger(value) ? 'integer' : 'number', enum: [value] };
    default:
      return { type: typeof value, enum: [value] };
  }
}
