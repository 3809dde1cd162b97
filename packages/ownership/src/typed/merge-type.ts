// How a value merges: which of scalar, list and map it may be, and how the parts of a list or map merge. Made
// from a schema once (merge-type-of.ts), then walked for every write.
import type { JsonValue } from '@instar/machinery';

export type ScalarKind = 'numeric' | 'string' | 'boolean' | 'untyped';

export interface ListType {
  /** atomic: one value. set: items are scalars, each its own key. map: items have keys. */
  readonly relation: 'atomic' | 'set' | 'map';
  readonly keys: readonly string[];
  /** The defaults of the keys that have one: an item without the key equals the item with the default. */
  readonly keyDefaults: ReadonlyMap<string, JsonValue>;
  readonly element: MergeType;
}

export interface MapType {
  readonly atomic: boolean;
  /** Named fields. Since their names are known, owning what is below one does not mean owning it. */
  readonly fields: ReadonlyMap<string, MergeType>;
  /** The type of all other keys; undefined if there must be none. */
  readonly element: MergeType | undefined;
}

/** How values merge: as scalars, lists or maps; made once per schema. */
export interface MergeType {
  readonly scalar: ScalarKind | undefined;
  readonly list: ListType | undefined;
  readonly map: MapType | undefined;
  /**
   * Whether there is an atomic list or map, here or below. If not, a change of schema cannot have made one.
   */
  readonly holdsAtomic: boolean;
}

export type ValueForm = 'scalar' | 'list' | 'map';

const NO_FIELDS: ReadonlyMap<string, MergeType> = new Map();
const NO_DEFAULTS: ReadonlyMap<string, JsonValue> = new Map();

function selfContained(atomicMap: boolean): MergeType {
  const type = { scalar: 'untyped', holdsAtomic: true } as { -readonly [K in keyof MergeType]: MergeType[K] };
  type.map = { atomic: atomicMap, fields: NO_FIELDS, element: type };
  type.list = { relation: 'atomic', keys: [], keyDefaults: NO_DEFAULTS, element: type };
  return type;
}

/** Anything, as one atomic value. */
export const UNTYPED: MergeType = selfContained(true);

/** Anything, merged by the form of the value: objects field by field, lists atomically. */
export const DEDUCED: MergeType = selfContained(false);

/**
 * The form in which a value of this type is treated. A type with one form treats everything in it; null may
 * be any.
 */
export function formOf(type: MergeType, value: JsonValue): ValueForm | 'any' {
  if (type.scalar === undefined) return type.map !== undefined ? 'map' : 'list';
  if (type.map === undefined) return 'scalar';
  if (value === null) return 'any';
  return Array.isArray(value) ? 'list' : typeof value === 'object' ? 'map' : 'scalar';
}

/** The type of the value at a key. What the schema does not know is deduced. */
export function typeOfKey(map: MapType, key: string): MergeType {
  return map.fields.get(key) ?? map.element ?? DEDUCED;
}
