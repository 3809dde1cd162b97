// The standard library: what every CEL environment has.
import {
  type FunctionDeclaration,
  functionOf,
  type Implementation,
  type Library,
  memberOverload,
  overload,
} from '../extension.ts';
import { standardMacros } from '../macros/standard.ts';
import { workAhead } from '../meter.ts';
import { CelError } from '../values/error.ts';
import { codePoints, sizeOf } from '../values/size.ts';
import { typeOf } from '../values/type-of.ts';
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOfDyn,
  listType,
  mapOfDyn,
  mapType,
  nullType,
  stringType,
  timestampType,
  typeOfType,
  typeParam,
  typeType,
  uintType,
} from '../values/types.ts';
import type { Value } from '../values.ts';
import { toBool, toBytes, toDouble, toDuration, toInt, toText, toTimestamp, toUint } from './convert.ts';
import { operatorFunctions } from './operator-functions.ts';
import { compilePattern, matchesPattern } from './regex.ts';
import { timeFunctions } from './time-functions.ts';

const paramA = typeParam('A');
const listOfA = listType(paramA);
const mapOfAB = mapType(paramA, typeParam('B'));

const conversion = (
  name: string,
  result: CelType,
  call: (value: Value) => Value,
  from: readonly CelType[],
): FunctionDeclaration =>
  functionOf(
    name,
    ...from.map((type) =>
      overload(`${overloadName(type)}_to_${overloadName(result)}`, [type], result, call as Implementation),
    ),
  );

/** Overload ids use int64 and uint64, as everywhere in CEL. */
function overloadName(type: CelType): string {
  if (type.kind === 'int' || type.kind === 'uint') return `${type.kind}64`;
  return type.kind;
}

const size: Implementation = (value) => (typeof value === 'string' ? codePoints(value) : sizeOf(value!));
const sized: readonly (readonly [string, CelType])[] = [
  ['bytes', bytesType],
  ['list', listOfA],
  ['map', mapOfAB],
  ['string', stringType],
];

const sizeFunction = functionOf(
  'size',
  ...sized.flatMap(([name, type]) => [
    overload(`size_${name}`, [type], intType, size),
    memberOverload(`${name}_size`, [type], intType, size),
  ]),
);

const matches: Implementation = (text, pattern) => {
  const compiled = compilePattern(pattern as string);
  return compiled instanceof CelError ? compiled : matchesPattern(compiled, text as string);
};

const stringTest = (
  name: string,
  id: string,
  test: (text: string, part: string) => boolean,
): FunctionDeclaration =>
  functionOf(
    name,
    memberOverload(id, [stringType, stringType], boolType, (text, part) =>
      test(text as string, part as string),
    ),
  );

function includes(text: string, part: string): boolean {
  workAhead(text.length);
  return text.includes(part);
}

const typeFunction = functionOf(
  'type',
  overload('type', [paramA], typeOfType(paramA), (value) => typeOf(value!)),
);

const functions: readonly FunctionDeclaration[] = [
  ...operatorFunctions,
  ...timeFunctions,
  sizeFunction,
  typeFunction,
  functionOf(
    'dyn',
    overload('to_dyn', [paramA], dynType, (value) => value!),
  ),
  conversion('bool', boolType, toBool, [boolType, stringType]),
  conversion('bytes', bytesType, toBytes, [bytesType, stringType]),
  conversion('double', doubleType, toDouble, [doubleType, intType, stringType, uintType]),
  conversion('duration', durationType, toDuration, [durationType, stringType]),
  conversion('int', intType, toInt, [intType, doubleType, durationType, stringType, timestampType, uintType]),
  conversion('string', stringType, toText, [
    stringType,
    boolType,
    bytesType,
    doubleType,
    durationType,
    intType,
    timestampType,
    uintType,
  ]),
  conversion('timestamp', timestampType, toTimestamp, [timestampType, intType, stringType]),
  conversion('uint', uintType, toUint, [uintType, doubleType, intType, stringType]),
  stringTest('contains', 'contains_string', includes),
  stringTest('startsWith', 'starts_with_string', (text, part) => text.startsWith(part)),
  stringTest('endsWith', 'ends_with_string', (text, part) => text.endsWith(part)),
  functionOf(
    'matches',
    overload('matches', [stringType, stringType], boolType, matches),
    memberOverload('matches_string', [stringType, stringType], boolType, matches),
  ),
];

/** The standard functions, types and macros of CEL. */
export const standardLibrary: Library = {
  name: 'standard',
  types: [
    boolType,
    bytesType,
    doubleType,
    durationType,
    intType,
    listOfDyn,
    mapOfDyn,
    nullType,
    stringType,
    timestampType,
    typeType,
    uintType,
  ],
  functions,
  macros: standardMacros,
};
