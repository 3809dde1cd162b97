/**
 * Lists and maps from JSON, read in place. Lists of type `set` and `map` have their own equality and sum.
 */

import { HostList } from '../../values/host-list.ts';
import { HostMap } from '../../values/host-map.ts';
import type { HostReader } from '../../values/types.ts';
import { CelError } from '../../values.ts';
import { KeyedList } from './keyed-list.ts';
import type { SchemaNode } from './schema-node.ts';
import { SetList } from './set-list.ts';

export function listReader(schema: SchemaNode, element: HostReader): HostReader {
  const make = listMaker(schema, element);
  return (raw) =>
    Array.isArray(raw)
      ? make(raw)
      : new CelError('invalid data, expected an array for the provided schema with type=array');
}

function listMaker(schema: SchemaNode, element: HostReader): (raw: readonly unknown[]) => HostList {
  switch (schema['x-kubernetes-list-type']) {
    case 'map': {
      const keys = schema['x-kubernetes-list-map-keys'] ?? [];
      return (raw) => new KeyedList(raw, element, keys);
    }
    case 'set':
      return (raw) => new SetList(raw, element);
    default:
      return (raw) => new HostList(raw, element);
  }
}

export function mapReader(value: HostReader): HostReader {
  return (raw) =>
    isObject(raw)
      ? new HostMap(raw, value)
      : new CelError('invalid data, expected a map for the provided schema with type=object');
}

export function isObject(raw: unknown): raw is Readonly<Record<string, unknown>> {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw);
}
