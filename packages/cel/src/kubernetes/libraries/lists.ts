// Kubernetes' own library of lists: isSorted, sum, min, max, indexOf and lastIndexOf. The rest (sort, slice,
// …) is an extension of CEL.
import {
  type FunctionDeclaration,
  functionOf,
  type Implementation,
  type Library,
  memberOverload,
} from '../../extension.ts';
import { work } from '../../meter.ts';
import { add } from '../../stdlib/arithmetic.ts';
import { compareValues } from '../../stdlib/compare.ts';
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  intType,
  listType,
  stringType,
  timestampType,
  typeParam,
  uintType,
} from '../../values/types.ts';
import {
  CelError,
  type CelList,
  Double,
  Duration,
  equalValues,
  noSuchOverload,
  Timestamp,
  Uint,
  type Value,
} from '../../values.ts';

type NamedType = readonly [name: string, type: CelType];

const comparable: readonly NamedType[] = [
  ['int', intType],
  ['uint', uintType],
  ['double', doubleType],
  ['bool', boolType],
  ['duration', durationType],
  ['timestamp', timestampType],
  ['string', stringType],
  ['bytes', bytesType],
];

/** Null and similar have no order; an error is returned. */
function unordered(value: Value): CelError | undefined {
  if (value instanceof CelError) return value;
  if (typeof value !== 'object') return undefined;
  const ordered = [Double, Uint, Duration, Timestamp, Uint8Array].some((type) => value instanceof type);
  return ordered ? undefined : noSuchOverload();
}

/** Values that cannot be compared (NaN) are never less or greater. */
function orderOf(a: Value, b: Value): number {
  const order = compareValues(a, b);
  return order instanceof CelError ? 0 : order;
}

function isSorted(list: Value): Value {
  let previous: Value | undefined;
  for (const next of list as CelList) {
    const error = unordered(next);
    if (error !== undefined) return error;
    if (previous !== undefined && orderOf(previous, next) > 0) return false;
    previous = next;
  }
  return true;
}

/** The least or the greatest element, by `sign`. */
const extreme =
  (name: string, sign: 1 | -1) =>
  (list: Value): Value => {
    let best: Value | undefined;
    for (const next of list as CelList) {
      const error = unordered(next);
      if (error !== undefined) return error;
      if (best === undefined || orderOf(next, best) * sign > 0) best = next;
    }
    return best ?? new CelError(`${name} called on empty list`);
  };

const sumFrom =
  (zero: Value) =>
  (list: Value): Value => {
    let sum = zero;
    for (const next of list as CelList) {
      sum = next instanceof CelError ? next : add(sum, next);
      if (sum instanceof CelError) return sum;
    }
    return sum;
  };

function indexOf(list: Value, item: Value): Value {
  const { size } = list as CelList;
  for (let index = 0; index < size; index++) {
    work(1);
    if (equalValues((list as CelList).at(index), item)) return index;
  }
  return -1;
}

function lastIndexOf(list: Value, item: Value): Value {
  for (let index = (list as CelList).size - 1; index >= 0; index--) {
    work(1);
    if (equalValues((list as CelList).at(index), item)) return index;
  }
  return -1;
}

function forEachType(
  name: string,
  id: (type: string) => string,
  result: CelType | undefined,
  call: Implementation,
): FunctionDeclaration {
  const overloads = comparable.map(([typeName, type]) =>
    memberOverload(id(typeName), [listType(type)], result ?? type, call),
  );
  return functionOf(name, ...overloads);
}

const element = typeParam('A');
const search = (id: string, call: Implementation) =>
  memberOverload(id, [listType(element), element], intType, call);
const sum = (name: string, type: CelType, call: Implementation) =>
  memberOverload(`list_${name}_sum_${name}`, [listType(type)], type, call);

export const listsLibrary: Library = {
  name: 'kubernetes.lists',
  functions: [
    forEachType('isSorted', (type) => `list_${type}_is_sorted_bool`, boolType, isSorted),
    forEachType('max', (type) => `list_${type}_max_${type}`, undefined, extreme('max', 1)),
    forEachType('min', (type) => `list_${type}_min_${type}`, undefined, extreme('min', -1)),
    functionOf(
      'sum',
      sum('int', intType, sumFrom(0)),
      sum('uint', uintType, sumFrom(new Uint(0))),
      sum('double', doubleType, sumFrom(new Double(0))),
      sum('duration', durationType, sumFrom(new Duration(0n))),
    ),
    functionOf('indexOf', search('list_a_index_of_int', indexOf)),
    functionOf('lastIndexOf', search('list_a_last_index_of_int', lastIndexOf)),
  ],
};
