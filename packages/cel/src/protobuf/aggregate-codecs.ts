// Repeated and map fields, by the codecs of their elements.
import type { ScalarType } from '@bufbuild/protobuf';
import { CelError } from '../values/error.ts';
import { HostList } from '../values/host-list.ts';
import { CelList } from '../values/list.ts';
import { CelMap } from '../values/map.ts';
import { listType, mapType } from '../values/types.ts';
import type { Value } from '../values.ts';
import { type Codec, notConvertible } from './codec.ts';
import { keyKindOf, MessageMap } from './message-map.ts';
import { scalarCodec } from './scalar-codecs.ts';

/** The raw form of an element of a list or map, which cannot be absent. */
function writeWithin(codec: Codec, value: Value): unknown {
  const raw = codec.write(value);
  return raw === undefined ? notConvertible(value, codec.type) : raw;
}

export function listCodec(element: Codec): Codec {
  const type = listType(element.type);
  const { same } = element;
  return {
    type,
    read: (raw) => new HostList(raw as readonly unknown[], element.read),
    write: (value) => (value instanceof CelList ? writeList(value, element) : notConvertible(value, type)),
    absent: () => new HostList([], element.read),
    ...(same !== undefined && { same: (a, b) => sameLists(a as unknown[], b as unknown[], same) }),
  };
}

function writeList(list: CelList, element: Codec): unknown {
  const elements: unknown[] = [];
  for (const value of list) {
    const raw = writeWithin(element, value);
    if (raw instanceof CelError) return raw;
    elements.push(raw);
  }
  return elements;
}

type Same = NonNullable<Codec['same']>;
type Entries = Readonly<Record<string, unknown>>;

const sameLists = (a: readonly unknown[], b: readonly unknown[], same: Same): boolean =>
  a.length === b.length && a.every((element, index) => same(element, b[index]));

export function mapCodec(keyScalar: ScalarType, value: Codec): Codec {
  const key = scalarCodec(keyScalar);
  const kind = keyKindOf(keyScalar);
  const type = mapType(key.type, value.type);
  const { same } = value;
  return {
    type,
    read: (raw) => new MessageMap(raw as Entries, kind, value),
    write: (given) => (given instanceof CelMap ? writeMap(given, key, value) : notConvertible(given, type)),
    absent: () => new MessageMap({}, kind, value),
    ...(same !== undefined && { same: (a, b) => sameMaps(a as Entries, b as Entries, same) }),
  };
}

function writeMap(map: CelMap, key: Codec, value: Codec): unknown {
  const entries: [string, unknown][] = [];
  for (const each of map.keys()) {
    const name = writeWithin(key, each);
    if (name instanceof CelError) return name;
    const raw = writeWithin(value, map.get(each)!);
    if (raw instanceof CelError) return raw;
    entries.push([String(name), raw]);
  }
  return Object.fromEntries(entries);
}

function sameMaps(a: Entries, b: Entries, same: Same): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && same(a[name], b[name]))
  );
}
