// The operators as functions: their overloads by type; all of one name share an implementation that checks
// the values.
import {
  type FunctionDeclaration,
  functionOf,
  type Implementation,
  type Overload,
  overload,
} from '../extension.ts';
import { operators } from '../operators.ts';
import { mapOfValue } from '../values/comparable.ts';
import { equalValues } from '../values/equality.ts';
import { noSuchOverload } from '../values/error.ts';
import { CelList } from '../values/list.ts';
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  intType,
  listType,
  mapType,
  stringType,
  timestampType,
  typeParam,
  uintType,
} from '../values/types.ts';
import type { Value } from '../values.ts';
import { add, divide, modulo, multiply, negate, subtract } from './arithmetic.ts';
import { greater, greaterEquals, less, lessEquals } from './compare.ts';
import { indexValue } from './index-value.ts';

const paramA = typeParam('A');
const paramB = typeParam('B');
const listOfA = listType(paramA);
const mapOfAB = mapType(paramA, paramB);

type Signature = readonly [id: string, left: CelType, right: CelType, result: CelType];

const binary = (name: string, call: Implementation, ...signatures: Signature[]): FunctionDeclaration =>
  functionOf(
    name,
    ...signatures.map(([id, left, right, result]) => overload(id, [left, right], result, call)),
  );

const ordered: readonly (readonly [suffix: string, left: CelType, right: CelType])[] = [
  ['bool', boolType, boolType],
  ['int64', intType, intType],
  ['int64_double', intType, doubleType],
  ['int64_uint64', intType, uintType],
  ['uint64', uintType, uintType],
  ['uint64_double', uintType, doubleType],
  ['uint64_int64', uintType, intType],
  ['double', doubleType, doubleType],
  ['double_int64', doubleType, intType],
  ['double_uint64', doubleType, uintType],
  ['string', stringType, stringType],
  ['bytes', bytesType, bytesType],
  ['timestamp', timestampType, timestampType],
  ['duration', durationType, durationType],
];

const relation = (name: string, prefix: string, call: Implementation): FunctionDeclaration =>
  functionOf(
    name,
    ...ordered.map(
      ([suffix, left, right]): Overload => overload(`${prefix}_${suffix}`, [left, right], boolType, call),
    ),
  );

/** Never called: the compiler evaluates these itself, as they do not need all of their arguments. */
const lazily: Implementation = () => noSuchOverload();

function contains(value: Value, container: Value): Value {
  if (container instanceof CelList) return container.contains(value);
  return mapOfValue(container)?.has(value) ?? noSuchOverload();
}

const not: Implementation = (value) => (typeof value === 'boolean' ? !value : noSuchOverload());

export const operatorFunctions: readonly FunctionDeclaration[] = [
  functionOf(operators.conditional, overload('conditional', [boolType, paramA, paramA], paramA, lazily)),
  functionOf(operators.and, overload('logical_and', [boolType, boolType], boolType, lazily)),
  functionOf(operators.or, overload('logical_or', [boolType, boolType], boolType, lazily)),
  functionOf(operators.not, overload('logical_not', [boolType], boolType, not)),
  functionOf(
    operators.notStrictlyFalse,
    overload('not_strictly_false', [boolType], boolType, (value) => value !== false),
  ),
  functionOf(
    operators.equals,
    overload('equals', [paramA, paramA], boolType, (a, b) => equalValues(a!, b!)),
  ),
  functionOf(
    operators.notEquals,
    overload('not_equals', [paramA, paramA], boolType, (a, b) => !equalValues(a!, b!)),
  ),
  binary(
    operators.add,
    add as Implementation,
    ['add_bytes', bytesType, bytesType, bytesType],
    ['add_double', doubleType, doubleType, doubleType],
    ['add_duration_duration', durationType, durationType, durationType],
    ['add_duration_timestamp', durationType, timestampType, timestampType],
    ['add_timestamp_duration', timestampType, durationType, timestampType],
    ['add_int64', intType, intType, intType],
    ['add_list', listOfA, listOfA, listOfA],
    ['add_string', stringType, stringType, stringType],
    ['add_uint64', uintType, uintType, uintType],
  ),
  binary(
    operators.subtract,
    subtract as Implementation,
    ['subtract_double', doubleType, doubleType, doubleType],
    ['subtract_duration_duration', durationType, durationType, durationType],
    ['subtract_int64', intType, intType, intType],
    ['subtract_timestamp_duration', timestampType, durationType, timestampType],
    ['subtract_timestamp_timestamp', timestampType, timestampType, durationType],
    ['subtract_uint64', uintType, uintType, uintType],
  ),
  binary(
    operators.multiply,
    multiply as Implementation,
    ['multiply_double', doubleType, doubleType, doubleType],
    ['multiply_int64', intType, intType, intType],
    ['multiply_uint64', uintType, uintType, uintType],
  ),
  binary(
    operators.divide,
    divide as Implementation,
    ['divide_double', doubleType, doubleType, doubleType],
    ['divide_int64', intType, intType, intType],
    ['divide_uint64', uintType, uintType, uintType],
  ),
  binary(
    operators.modulo,
    modulo as Implementation,
    ['modulo_int64', intType, intType, intType],
    ['modulo_uint64', uintType, uintType, uintType],
  ),
  functionOf(
    operators.negate,
    overload('negate_double', [doubleType], doubleType, negate as Implementation),
    overload('negate_int64', [intType], intType, negate as Implementation),
  ),
  relation(operators.less, 'less', less as Implementation),
  relation(operators.lessEquals, 'less_equals', lessEquals as Implementation),
  relation(operators.greater, 'greater', greater as Implementation),
  relation(operators.greaterEquals, 'greater_equals', greaterEquals as Implementation),
  binary(
    operators.index,
    indexValue as Implementation,
    ['index_list', listOfA, intType, paramA],
    ['index_map', mapOfAB, paramA, paramB],
  ),
  binary(
    operators.in,
    contains as Implementation,
    ['in_list', paramA, listOfA, boolType],
    ['in_map', paramA, mapOfAB, boolType],
  ),
];
