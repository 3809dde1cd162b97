// optional_type(T): values that may be absent, the syntax to select through them, optMap and optFlatMap.
import {
  type FunctionDeclaration,
  functionOf,
  type Library,
  memberOverload,
  overload,
} from '../extension.ts';
import { optFlatMapMacro, optMapMacro } from '../macros/optional.ts';
import { operators } from '../operators.ts';
import { indexOptionally, indexValue } from '../stdlib/index-value.ts';
import { minTimestamp } from '../stdlib/timestamp-text.ts';
import { failure, noSuchOverload } from '../values/error.ts';
import { HostObject } from '../values/host-object.ts';
import { ArrayList, CelList } from '../values/list.ts';
import { CelMap } from '../values/map.ts';
import { Double, Uint } from '../values/numbers.ts';
import { none, Optional, some } from '../values/optional.ts';
import { Duration, Timestamp } from '../values/time.ts';
import {
  boolType,
  dynType,
  intType,
  listType,
  mapType,
  optionalType,
  stringType,
  typeParam,
} from '../values/types.ts';
import type { Value } from '../values.ts';

const key = typeParam('K');
const value = typeParam('V');
const optionalOfV = optionalType(value);
const listOfV = listType(value);
const mapOfKV = mapType(key, value);

/** False, 0, '', null, empty lists and maps, and the beginning of the year 1. */
function isZero(given: Value): boolean {
  if (given === null || given === false || given === 0 || given === '') return true;
  if (typeof given !== 'object') return false;
  if (given instanceof CelList || given instanceof CelMap) return given.size === 0;
  if (given instanceof Double || given instanceof Uint) return given.value === 0;
  if (given instanceof Uint8Array) return given.length === 0;
  if (given instanceof Optional) return given.value === undefined;
  if (given instanceof HostObject) return isUnset(given);
  return (
    (given instanceof Duration && given.nanos === 0n) ||
    (given instanceof Timestamp && given.nanos === minTimestamp)
  );
}

/** An object that is a map upstream is never a zero value there. */
function isUnset(object: HostObject): boolean {
  const declaration = object.type.object!;
  return (
    declaration.isMap !== true && ![...declaration.fieldNames()].some((name) => object.has(name) === true)
  );
}

function unwrapAll(list: Value): Value {
  const values: Value[] = [];
  for (const element of list as CelList) {
    if (!(element instanceof Optional)) return failure('value is not optional');
    if (element.value !== undefined) values.push(element.value);
  }
  return new ArrayList(values);
}

const at = (list: Value, index: (size: number) => number): Value => {
  const elements = list as CelList;
  return elements.size === 0 ? none : some(elements.at(index(elements.size)));
};

function unwrapped(given: Optional): Value {
  return given.value === undefined ? failure('optional.none() dereference') : given.value;
}

const constructors: readonly FunctionDeclaration[] = [
  functionOf(
    'optional.of',
    overload('optional_of', [value], optionalOfV, (given) => some(given!)),
  ),
  functionOf(
    'optional.ofNonZeroValue',
    overload('optional_ofNonZeroValue', [value], optionalOfV, (given) =>
      isZero(given!) ? none : some(given!),
    ),
  ),
  functionOf(
    'optional.none',
    overload('optional_none', [], optionalOfV, () => none),
  ),
];

const accessors: readonly FunctionDeclaration[] = [
  functionOf(
    'value',
    memberOverload('optional_value', [optionalOfV], value, (given) => unwrapped(given as Optional)),
  ),
  functionOf(
    'hasValue',
    memberOverload(
      'optional_hasValue',
      [optionalOfV],
      boolType,
      (given) => (given as Optional).value !== undefined,
    ),
  ),
  // The compiler evaluates the alternative only if it is needed, so these are never called.
  functionOf(
    'or',
    memberOverload('optional_or_optional', [optionalOfV, optionalOfV], optionalOfV, noSuchOverload),
  ),
  functionOf(
    'orValue',
    memberOverload('optional_orValue_value', [optionalOfV, value], value, noSuchOverload),
  ),
];

const reach = (container: Value | undefined, index: Value | undefined): Value =>
  indexOptionally(container!, index!);
const through = (container: Value | undefined, index: Value | undefined): Value =>
  indexValue(container!, index!);

const selections: readonly FunctionDeclaration[] = [
  functionOf(
    operators.optSelect,
    overload('select_optional_field', [dynType, stringType], optionalOfV, reach),
  ),
  functionOf(
    operators.optIndex,
    overload('list_optindex_optional_int', [listOfV, intType], optionalOfV, reach),
    overload('optional_list_optindex_optional_int', [optionalType(listOfV), intType], optionalOfV, reach),
    overload('map_optindex_optional_value', [mapOfKV, key], optionalOfV, reach),
    overload('optional_map_optindex_optional_value', [optionalType(mapOfKV), key], optionalOfV, reach),
  ),
  functionOf(
    operators.index,
    overload('optional_list_index_int', [optionalType(listOfV), intType], optionalOfV, through),
    overload('optional_map_index_value', [optionalType(mapOfKV), key], optionalOfV, through),
  ),
];

const listFunctions: readonly FunctionDeclaration[] = [
  functionOf(
    'first',
    memberOverload('list_first', [listOfV], optionalOfV, (list) => at(list!, () => 0)),
  ),
  functionOf(
    'last',
    memberOverload('list_last', [listOfV], optionalOfV, (list) => at(list!, (size) => size - 1)),
  ),
  functionOf(
    'optional.unwrap',
    overload('optional_unwrap', [listType(optionalOfV)], listOfV, (list) => unwrapAll(list!)),
  ),
  functionOf(
    'unwrapOpt',
    memberOverload('optional_unwrapOpt', [listType(optionalOfV)], listOfV, (list) => unwrapAll(list!)),
  ),
];

/** Version 1 adds optFlatMap; version 2 first, last and unwrap. */
export function optionalLibrary(version = 2): Library {
  return {
    name: 'optional',
    optionalSyntax: true,
    types: [optionalType(dynType)],
    functions: [...constructors, ...accessors, ...selections, ...(version >= 2 ? listFunctions : [])],
    macros: version >= 1 ? [optMapMacro, optFlatMapMacro] : [optMapMacro],
  };
}
