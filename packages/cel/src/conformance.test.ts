// The conformance data of cel-spec, section by section. What is skipped is listed in conformance-skips.json with its reason; a skip
// that no longer fails is an error too, so the list cannot rot.
import { readFileSync } from 'node:fs';
import { tests } from '@bufbuild/cel-spec/testdata/conformance.js';
import type { SerializedIncrementalTest, SerializedIncrementalTestSuite } from '@bufbuild/cel-spec/testdata/tests.js';
import { describe, expect, it } from 'vitest';
import {
  anyType,
  bindingsLibrary,
  boolType,
  bytesType,
  CelError,
  type CelType,
  CompileError,
  compile,
  compileUnchecked,
  Double,
  doubleType,
  durationType,
  dynType,
  Environment,
  encodersLibrary,
  equalValues,
  errorType,
  type FunctionDeclaration,
  formatType,
  functionOf,
  intOf,
  intType,
  listOf,
  listsLibrary,
  listType,
  mapOf,
  mapType,
  mathLibrary,
  nullType,
  opaqueType,
  optionalLibrary,
  overload,
  regexLibrary,
  setsLibrary,
  standardLibrary,
  stringsLibrary,
  stringType,
  timestampType,
  twoVariableLibrary,
  typeOf,
  typeOfType,
  typeParam,
  uintOf,
  uintType,
  type Value,
  wrapperType,
} from './index.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Fields = { [key: string]: Json };

const skips = new Map(
  Object.entries(
    JSON.parse(readFileSync(new URL('./conformance-skips.json', import.meta.url), 'utf8')) as Record<string, string[]>,
  ).flatMap(([reason, names]) => names.map((name) => [name, reason] as const)),
);

const everything = new Environment({
  libraries: [
    standardLibrary,
    optionalLibrary(),
    bindingsLibrary,
    twoVariableLibrary,
    stringsLibrary(),
    mathLibrary(),
    listsLibrary(),
    setsLibrary,
    encodersLibrary,
    regexLibrary,
  ],
});

const primitives: Record<string, CelType> = {
  BOOL: boolType,
  INT64: intType,
  UINT64: uintType,
  DOUBLE: doubleType,
  STRING: stringType,
  BYTES: bytesType,
};
const wellKnown: Record<string, CelType> = { ANY: anyType, TIMESTAMP: timestampType, DURATION: durationType };

function typeFrom(json: Fields): CelType {
  if (typeof json['primitive'] === 'string') return primitives[json['primitive']]!;
  if (typeof json['wrapper'] === 'string') return wrapperType(primitives[json['wrapper']]!);
  if (typeof json['wellKnown'] === 'string') return wellKnown[json['wellKnown']]!;
  if ('null' in json) return nullType;
  if ('error' in json) return errorType;
  const list = json['listType'] as Fields | undefined;
  if (list !== undefined) return listType(typeFrom((list['elemType'] as Fields | undefined) ?? {}));
  const map = json['mapType'] as Fields | undefined;
  if (map !== undefined) return mapType(typeFrom(map['keyType'] as Fields), typeFrom(map['valueType'] as Fields));
  if ('type' in json) return typeOfType(typeFrom(json['type'] as Fields));
  const abstract = json['abstractType'] as Fields | undefined;
  if (abstract !== undefined)
    return opaqueType(abstract['name'] as string, ...((abstract['parameterTypes'] as Fields[] | undefined) ?? []).map(typeFrom));
  if (typeof json['typeParam'] === 'string') return typeParam(json['typeParam']);
  if (typeof json['messageType'] === 'string') throw new NotSupported(json['messageType']);
  return dynType;
}

const specialNumbers: Record<string, number> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
};
const doubleFrom = (json: Json): number => (typeof json === 'string' ? (specialNumbers[json] ?? Number(json)) : (json as number));
const bytesFrom = (json: Json): Uint8Array => Uint8Array.from(Buffer.from(json as string, 'base64'));

class NotSupported extends Error {}

function valueFrom(json: Fields): Value {
  const [kind, value] = Object.entries(json)[0]!;
  switch (kind) {
    case 'nullValue':
      return null;
    case 'boolValue':
      return value as boolean;
    case 'int64Value':
      return intOf(BigInt(value as string));
    case 'uint64Value':
      return uintOf(BigInt(value as string));
    case 'doubleValue':
      return new Double(doubleFrom(value!));
    case 'stringValue':
      return value as string;
    case 'bytesValue':
      return bytesFrom(value!);
    case 'listValue':
      return listOf((((value as Fields)['values'] as Fields[] | undefined) ?? []).map(valueFrom));
    case 'mapValue':
      return mapOf(
        (((value as Fields)['entries'] as Fields[] | undefined) ?? []).map((entry) => [
          valueFrom(entry['key'] as Fields),
          valueFrom(entry['value'] as Fields),
        ]),
      );
    case 'typeValue':
      return everything.type(value as string) ?? opaqueType(value as string);
    case 'objectValue':
      return messageFrom(value as Fields);
    default:
      throw new NotSupported(kind);
  }
}

function evaluated(source: string): Value {
  return compile(source, everything).evaluate({}).value;
}

/** The well-known messages that CEL has its own values for. */
function messageFrom(json: Fields): Value {
  const type = (json['@type'] as string).replace('type.googleapis.com/', '');
  const value = json['value']!;
  switch (type) {
    case 'google.protobuf.Duration':
      return evaluated(`duration(${JSON.stringify(value)})`);
    case 'google.protobuf.Timestamp':
      return evaluated(`timestamp(${JSON.stringify(value)})`);
    case 'google.protobuf.BoolValue':
    case 'google.protobuf.StringValue':
      return value as Value;
    case 'google.protobuf.Int32Value':
    case 'google.protobuf.Int64Value':
      return intOf(BigInt(value as string));
    case 'google.protobuf.UInt32Value':
    case 'google.protobuf.UInt64Value':
      return uintOf(BigInt(value as string));
    case 'google.protobuf.FloatValue':
    case 'google.protobuf.DoubleValue':
      return new Double(doubleFrom(value));
    case 'google.protobuf.BytesValue':
      return bytesFrom(value);
    default:
      throw new NotSupported(type);
  }
}

/** Declared only: no test calls one. */
function functionFrom(declaration: Fields): FunctionDeclaration {
  const overloads = (declaration['function'] as Fields)['overloads'] as Fields[];
  return functionOf(
    declaration['name'] as string,
    ...overloads.map((each) =>
      overload(
        each['overloadId'] as string,
        (each['params'] as Fields[]).map(typeFrom),
        typeFrom(each['resultType'] as Fields),
        () => null,
      ),
    ),
  );
}

function environmentOf(original: Fields): Environment {
  const variables: Record<string, CelType> = {};
  const functions: FunctionDeclaration[] = [];
  for (const declaration of (original['typeEnv'] as Fields[] | undefined) ?? []) {
    const ident = declaration['ident'] as Fields | undefined;
    if (ident === undefined) functions.push(functionFrom(declaration));
    else variables[declaration['name'] as string] = typeFrom((ident['type'] as Fields | undefined) ?? {});
  }
  if (original['disableCheck'] === true)
    for (const name of Object.keys((original['bindings'] as Fields | undefined) ?? {})) variables[name] ??= dynType;
  const base = original['disableMacros'] === true ? new Environment({ libraries: [{ ...standardLibrary, macros: [] }] }) : everything;
  return base.extend({ variables, functions, container: (original['container'] as string | undefined) ?? '' });
}

function bindingsOf(original: Fields): Record<string, Value> {
  const entries = Object.entries((original['bindings'] as { [key: string]: Fields } | undefined) ?? {});
  return Object.fromEntries(entries.map(([name, binding]) => [name, valueFrom(binding['value'] as Fields)]));
}

function sameResult(found: Value, wanted: Value): boolean {
  if (found instanceof Double && wanted instanceof Double && Number.isNaN(found.value)) return Number.isNaN(wanted.value);
  return typeOf(found).name === typeOf(wanted).name && equalValues(found, wanted);
}

function run(test: SerializedIncrementalTest): void {
  const original = test.original as unknown as Fields;
  const wantsError = 'evalError' in original || 'anyEvalErrors' in original;
  let program: ReturnType<typeof compile>;
  try {
    const compiling = original['disableCheck'] === true ? compileUnchecked : compile;
    program = compiling(original['expr'] as string, environmentOf(original));
  } catch (error) {
    if (error instanceof CompileError && wantsError) return;
    throw error;
  }
  const typed = original['typedResult'] as Fields | undefined;
  if (typed !== undefined) expect(formatType(program.type)).toBe(formatType(typeFrom(typed['deducedType'] as Fields)));
  if (original['checkOnly'] === true) return;
  const { value } = program.evaluate(bindingsOf(original));
  if (wantsError) {
    expect(value).toBeInstanceOf(CelError);
    return;
  }
  const wanted = (typed?.['result'] ?? original['value'] ?? { boolValue: true }) as Fields;
  const shown = JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part));
  expect(sameResult(value, valueFrom(wanted)), `${JSON.stringify(wanted)} but found ${shown}`).toBe(true);
}

function define(suite: SerializedIncrementalTestSuite, path: string): void {
  describe(suite.name, () => {
    for (const inner of suite.suites ?? []) define(inner, `${path}/${inner.name}`);
    for (const test of suite.tests ?? []) {
      const name = `${path}/${test.original.name ?? test.original.expr}`;
      const reason = skips.get(name) ?? skips.get(path) ?? skips.get(path.split('/')[0]!);
      if (reason === undefined) it(test.original.name ?? test.original.expr, () => run(test));
      else it(`fails, for ${reason}: ${test.original.name ?? ''}`, () => expect(() => run(test)).toThrow());
    }
  });
}

const isEmpty = (suite: SerializedIncrementalTestSuite): boolean => (suite.tests ?? []).length === 0 && (suite.suites ?? []).every(isEmpty);

for (const suite of tests.suites ?? []) if (!isEmpty(suite)) define(suite, suite.name);
