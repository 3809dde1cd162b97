// keyBy: a list of objects becomes a map by one of their fields. entries: a map of objects becomes a list.
// Each is the reverse of the other; the order of a list is stashed if the map does not give it.
import { isJsonObject, type JsonObject, type JsonValue, setMember } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import { LensError } from '../lens-error.ts';
import type { Direction } from '../op/op.ts';
import type { ValueReading } from '../op/reading.ts';
import { type Path, printPath } from '../path/path.ts';
import type { OpKind } from '../reader/op-kind.ts';
import { expectType, type SchemaReading } from '../schema/schema-reading.ts';
import { relocating } from './relocating.ts';

export const keyBy: OpKind = {
  name: 'keyBy',
  parse(reader) {
    reader.only('from', 'to', 'key', 'duplicates');
    const key = reader.text('key');
    const isStrict = reader.choice('duplicates', ['error', 'first'], 'error') === 'error';
    if (key === undefined) return undefined;
    return relocating(reader, (from, to) => ({
      forward: keying(key, from, isStrict),
      backward: listing(key, to),
      schema: schemaOf('forward', key, from, to),
    }));
  },
};

export const entries: OpKind = {
  name: 'entries',
  parse(reader) {
    reader.only('from', 'to', 'key', 'duplicates');
    const key = reader.text('key');
    const isStrict = reader.choice('duplicates', ['error', 'first'], 'error') === 'error';
    if (key === undefined) return undefined;
    return relocating(reader, (from, to) => ({
      forward: listing(key, from),
      backward: keying(key, to, isStrict),
      schema: schemaOf('backward', key, to, from),
    }));
  },
};

const keying = (key: string, path: Path, isStrict: boolean): ValueReading => ({
  convert: (list) => {
    if (list === undefined || list === null) return undefined;
    if (!Array.isArray(list)) throw new LensError('value', 'is no list', printPath(path));
    const map: JsonObject = {};
    for (const item of list) {
      const [name, rest] = withoutKey(item, key, path);
      if (!Object.hasOwn(map, name)) setMember(map, name, rest);
      else if (isStrict)
        throw new LensError(
          'value',
          `has two items whose ${key} is ${JSON.stringify(name)}`,
          printPath(path),
        );
    }
    return map;
  },
});

function withoutKey(item: JsonValue, key: string, path: Path): [string, JsonObject] {
  const name = isJsonObject(item) && Object.hasOwn(item, key) ? item[key] : undefined;
  if (typeof name !== 'string') throw new LensError('value', `has an item without a ${key}`, printPath(path));
  const { [key]: _, ...rest } = item as JsonObject;
  return [name, rest];
}

const listing = (key: string, path: Path): ValueReading => ({
  convert: (map) => (map === undefined || map === null ? undefined : itemsOf(map, key, path)),
  convertOver: (map, before) =>
    map === undefined || map === null ? undefined : inOrderOf(before, itemsOf(map, key, path), key),
});

/**
 * The original order of the list, as far as its items still exist, with those that the map did not show; new
 * ones come last.
 */
function inOrderOf(before: JsonValue | undefined, items: JsonObject[], key: string): JsonObject[] {
  const left = new Map(items.map((item) => [item[key], item]));
  const known = new Set(left.keys());
  const kept = (Array.isArray(before) ? before : []).flatMap((item) => {
    if (!isJsonObject(item) || !known.has(item[key])) return [];
    const now = left.get(item[key]);
    left.delete(item[key]);
    return [now ?? item];
  });
  return [...kept, ...left.values()];
}

function itemsOf(map: JsonValue, key: string, path: Path): JsonObject[] {
  if (!isJsonObject(map)) throw new LensError('value', 'is no map', printPath(path));
  return Object.keys(map)
    .sort()
    .map((name) => {
      const value = map[name]!;
      if (!isJsonObject(value))
        throw new LensError(
          'value',
          `has something that is not an object under ${JSON.stringify(name)}`,
          printPath(path),
        );
      return { [key]: name, ...value };
    });
}

/** `keys`: the direction in which the map is created. */
const schemaOf =
  (keys: Direction, key: string, list: Path, map: Path) =>
  (reading: SchemaReading, direction: Direction, op: string) => {
    const from = direction === keys ? list : map;
    const schema = reading.at(from, op);
    if (schema === undefined) return undefined;
    expectType(reading, from, op, schema, [direction === keys ? 'array' : 'object']);
    if (direction === keys) reading.report('lossy', 'info', from, op, 'a map has no order');
    return { schema: direction === keys ? mapSchema(schema, key) : listSchema(schema, key), isSure: true };
  };

function mapSchema({ items }: JSONSchemaProps, key: string): JSONSchemaProps {
  if (items === undefined || Array.isArray(items)) return { type: 'object' };
  const { [key]: _, ...properties } = items.properties ?? {};
  return {
    type: 'object',
    additionalProperties: {
      ...items,
      properties,
      required: (items.required ?? []).filter((name) => name !== key),
    },
  };
}

function listSchema({ additionalProperties }: JSONSchemaProps, key: string): JSONSchemaProps {
  if (typeof additionalProperties !== 'object') return { type: 'array' };
  const properties = { [key]: { type: 'string' }, ...additionalProperties.properties };
  return {
    type: 'array',
    items: { ...additionalProperties, properties, required: [key, ...(additionalProperties.required ?? [])] },
  };
}
