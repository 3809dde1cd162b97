// The fields that identify the items of a list, by the schemas of both versions. Only if both agree: a list
// at another path in one of them is useless, since the lens is read in both directions.
import type { JSONSchemaProps } from '@instar/schema';
import { ITEMS, type Path, VALUES } from '../path/path.ts';
import { propertyOf } from '../schema/schema-tree.ts';

interface ListKeys {
  readonly leftKeys: readonly string[];
  readonly rightKeys: readonly string[];
}

/** By the path of the list, as seen from where a list of operations starts. */
export type FindListKeys = (path: Path) => ListKeys | undefined;

const NO_LIST_KEYS: FindListKeys = () => undefined;

export function listKeysOf(
  left: JSONSchemaProps | undefined,
  right: JSONSchemaProps | undefined,
): FindListKeys {
  if (left === undefined || right === undefined) return NO_LIST_KEYS;
  return (path) => {
    const [leftKeys, rightKeys] = [keysAt(left, path), keysAt(right, path)];
    return leftKeys === undefined || rightKeys === undefined ? undefined : { leftKeys, rightKeys };
  };
}

function keysAt(schema: JSONSchemaProps, path: Path): readonly string[] | undefined {
  let here: JSONSchemaProps | undefined = schema;
  for (const segment of path) {
    const next: unknown =
      segment === ITEMS
        ? here.items
        : segment === VALUES
          ? here.additionalProperties
          : propertyOf(here, segment.key);
    if (typeof next !== 'object' || next === null || Array.isArray(next)) return undefined;
    here = next as JSONSchemaProps;
  }
  return here['x-kubernetes-list-type'] === 'map' ? here['x-kubernetes-list-map-keys'] : undefined;
}
