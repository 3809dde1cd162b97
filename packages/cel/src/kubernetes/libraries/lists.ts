// Kubernetes' own library of lists: isSorted, sum, min, max, indexOf and lastIndexOf. The rest (sort, slice, …) is an extension of CEL.
import { type FunctionDeclaration, functionOf, type Implementation, type Library, memberOverload } from '../../extension.ts';
import { work } from '../../meter.ts';
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
} from '../../types.ts';
import {
  CelError,
  type CelList,
  Double,
  Duration,
  equalValues,
  intOf,
  isInt,
  noSuchOverload,
  Uint,
  uintOf,
  type Value,
} from '../../values.ts';
import { compareScalars } from './scalar-order.ts';

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

function isSorted(list: Value): Value {
  let previous: Value | undefined;
  for (const next of list as CelList) {
    if (next instanceof CelError) return next;
    const order = previous === undefined ? 0 : compareScalars(previous, next);
    if (order === undefined) return noSuchOverload();
    if (order > 0) return false;
    previous = next;
  }
  return true;
}

/** The element that no other one beats; `sign` says which order wins. */
const extreme =
  (name: string, sign: 1 | -1) =>
  (list: Value): Value => {
    let best: Value | undefined;
    for (const next of list as CelList) {
      if (next instanceof CelError) return next;
      const order = best === undefined ? sign : compareScalars(next, best);
      if (order === undefined) return noSuchOverload();
      if (order === sign) best = next;
    }
    return best ?? new CelError(`${name} called on empty list`);
  };

const sumOf =
  (zero: Value, add: (sum: Value, next: Value) => Value) =>
  (list: Value): Value => {
    let sum = zero;
    for (const next of list as CelList) {
      sum = next instanceof CelError ? next : add(sum, next);
      if (sum instanceof CelError) return sum;
    }
    return sum;
  };

function addInts(sum: Value, next: Value): Value {
  return isInt(sum) && isInt(next) ? intOf(BigInt(sum) + BigInt(next)) : noSuchOverload();
}

function addUints(sum: Value, next: Value): Value {
  return sum instanceof Uint && next instanceof Uint ? uintOf(BigInt(sum.value) + BigInt(next.value)) : noSuchOverload();
}

function addDoubles(sum: Value, next: Value): Value {
  return sum instanceof Double && next instanceof Double ? new Double(sum.value + next.value) : noSuchOverload();
}

function addDurations(sum: Value, next: Value): Value {
  if (!(sum instanceof Duration && next instanceof Duration)) return noSuchOverload();
  const nanos = sum.nanos + next.nanos;
  return nanos === BigInt.asIntN(64, nanos) ? new Duration(nanos) : new CelError('integer overflow');
}

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

function forEachType(name: string, id: (type: string) => string, result: CelType | undefined, call: Implementation): FunctionDeclaration {
  const overloads = comparable.map(([typeName, type]) => memberOverload(id(typeName), [listType(type)], result ?? type, call));
  return functionOf(name, ...overloads);
}

const element = typeParam('A');
const search = (id: string, call: Implementation) => memberOverload(id, [listType(element), element], intType, call);
const sum = (name: string, type: CelType, call: Implementation) => memberOverload(`list_${name}_sum_${name}`, [listType(type)], type, call);

export const listsLibrary: Library = {
  name: 'kubernetes.lists',
  functions: [
    forEachType('isSorted', (type) => `list_${type}_is_sorted_bool`, boolType, isSorted),
    forEachType('max', (type) => `list_${type}_max_${type}`, undefined, extreme('max', 1)),
    forEachType('min', (type) => `list_${type}_min_${type}`, undefined, extreme('min', -1)),
    functionOf(
      'sum',
      sum('int', intType, sumOf(0, addInts)),
      sum('uint', uintType, sumOf(new Uint(0), addUints)),
      sum('double', doubleType, sumOf(new Double(0), addDoubles)),
      sum('duration', durationType, sumOf(new Duration(0n), addDurations)),
    ),
    functionOf('indexOf', search('list_a_index_of_int', indexOf)),
    functionOf('lastIndexOf', search('list_a_last_index_of_int', lastIndexOf)),
  ],
};
