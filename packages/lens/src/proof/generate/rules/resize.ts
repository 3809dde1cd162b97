// The same value with another size: texts, lists and maps grow and shrink.
import { isJsonObject, type JsonValue, setMember } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import { anyKey } from '../open-values.ts';
import type { ValueMaker } from '../values.ts';

const LARGEST = 300;

export function resized(
  value: JsonValue,
  wanted: number,
  schema: JSONSchemaProps | undefined,
  maker: ValueMaker,
): JsonValue {
  const size = Math.min(wanted, LARGEST);
  if (typeof value === 'string')
    return value.length > size ? [...value].slice(0, size).join('') : value.padEnd(size, 'a');
  if (Array.isArray(value)) return resizedList(value, size, schema, maker);
  return isJsonObject(value) ? resizedMap(value, size, schema, maker) : value;
}

function resizedList(
  list: readonly JsonValue[],
  size: number,
  schema: JSONSchemaProps | undefined,
  maker: ValueMaker,
): JsonValue[] {
  const items = Array.isArray(schema?.items) ? undefined : schema?.items;
  const grown = list.slice(0, size);
  while (grown.length < size)
    grown.push(items === undefined ? {} : maker.value(items, schema?.['x-kubernetes-list-map-keys'] ?? []));
  return grown;
}

function resizedMap(
  map: { [key: string]: JsonValue },
  size: number,
  schema: JSONSchemaProps | undefined,
  maker: ValueMaker,
): JsonValue {
  const copy = Object.fromEntries(Object.entries(map).slice(0, size));
  const values = typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined;
  const names = maker.dice.shuffled(Object.keys(schema?.properties ?? {}));
  for (let attempt = 0; Object.keys(copy).length < size && attempt < size * 3; attempt++) {
    const name = names[attempt];
    if (name !== undefined) setMember(copy, name, maker.value(schema!.properties![name]!));
    else if (values !== undefined) setMember(copy, anyKey(maker.dice), maker.value(values));
  }
  return copy;
}
