// From a structural schema to how its values merge. Done once per schema, and cached as long as the schema
// is.
import type { JsonValue } from '@instar/machinery';
import type { StructuralNode } from '@instar/schema';
import { DEDUCED, type ListType, type MapType, type MergeType, UNTYPED } from './merge-type.ts';
import { OBJECT_META, TYPE_META } from './object-meta.ts';

const known = new WeakMap<StructuralNode, MergeType>();

/** How the objects of a schema merge. Without a schema everything is deduced. */
export function mergeTypeOf(root: StructuralNode | undefined): MergeType {
  if (root === undefined) return DEDUCED;
  let type = known.get(root);
  if (type === undefined) known.set(root, (type = typeOf(root, root.preserveUnknownFields, true)));
  return type;
}

/** A part that preserves unknown fields does so for everything below it. */
function typeOf(node: StructuralNode, open: boolean, isObject = node.embeddedResource): MergeType {
  const preserves = open || node.preserveUnknownFields;
  switch (node.type) {
    case 'object':
      return typeWith({ map: mapTypeOf(node, preserves, isObject) });
    case 'array':
      return typeWith({ list: listTypeOf(node, preserves) });
    case 'string':
    case 'boolean':
      return typeWith({ scalar: node.type });
    case 'integer':
    case 'number':
      return typeWith({ scalar: 'numeric' });
    case 'int-or-string':
    case 'any':
      return typeWith({
        scalar: 'untyped',
        list: listTypeOf(node, preserves),
        map: mapTypeOf(node, preserves, isObject),
      });
  }
}

function typeWith({ scalar, list, map }: Partial<Omit<MergeType, 'holdsAtomic'>>): MergeType {
  return {
    scalar,
    list,
    map,
    holdsAtomic: (list !== undefined && listHoldsAtomic(list)) || (map !== undefined && mapHoldsAtomic(map)),
  };
}

const listHoldsAtomic = (list: ListType): boolean => list.relation === 'atomic' || list.element.holdsAtomic;

function mapHoldsAtomic(map: MapType): boolean {
  if (map.atomic) return true;
  // A map of unknown values is never reconciled with a schema: it has none.
  if (map.element?.holdsAtomic && map.element !== DEDUCED) return true;
  for (const field of map.fields.values()) if (field.holdsAtomic) return true;
  return false;
}

function mapTypeOf(node: StructuralNode, open: boolean, isObject: boolean): MapType {
  const fields = new Map<string, MergeType>();
  for (const [name, property] of node.properties ?? []) fields.set(name, typeOf(property, open));
  if (isObject)
    for (const [name, type] of [...TYPE_META, ['metadata', OBJECT_META] as const]) fields.set(name, type);
  return { atomic: node.mapType === 'atomic', fields, element: elementTypeOf(node, open) };
}

/** An object without any schema is free-form. */
function elementTypeOf(node: StructuralNode, open: boolean): MergeType | undefined {
  if (node.additionalProperties !== undefined) return typeOf(node.additionalProperties, open);
  return open || node.properties === undefined || node.properties.size === 0 ? DEDUCED : undefined;
}

function listTypeOf(node: StructuralNode, open: boolean): ListType {
  const element = node.items === undefined ? UNTYPED : typeOf(node.items, open);
  const { relation, keys } = relationOf(node);
  return { relation, keys, keyDefaults: keyDefaultsOf(node.items, keys), element };
}

/** Built-in kinds express by their patch strategy what they do not express by list type. */
function relationOf(node: StructuralNode): Pick<ListType, 'relation' | 'keys'> {
  if (node.listType === 'map') return { relation: 'map', keys: node.listMapKeys };
  if (node.listType !== undefined) return { relation: node.listType, keys: [] };
  if (node.patchStrategy !== 'merge' && node.patchStrategy !== 'merge,retainKeys')
    return { relation: 'atomic', keys: [] };
  return node.patchMergeKey === undefined
    ? { relation: 'set', keys: [] }
    : { relation: 'map', keys: [node.patchMergeKey] };
}

function keyDefaultsOf(
  items: StructuralNode | undefined,
  keys: readonly string[],
): ReadonlyMap<string, JsonValue> {
  const defaults = new Map<string, JsonValue>();
  for (const key of keys) {
    const value = items?.properties?.get(key)?.default;
    if (value !== undefined && value !== null) defaults.set(key, value as JsonValue);
  }
  return defaults;
}
