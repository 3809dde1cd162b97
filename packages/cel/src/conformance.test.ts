// The conformance data of cel-spec, section by section. conformance-skips.json lists what is skipped, and
// why; a skip that no longer fails is an error too, so that the list stays correct.
import { readFileSync } from 'node:fs';
import type { SimpleTest } from '@bufbuild/cel-spec/cel/expr/conformance/test/simple_pb.js';
import { getConformanceSuite, type IncrementalTestSuite } from '@bufbuild/cel-spec/testdata/tests.js';
import { describe, expect, it } from 'vitest';
import {
  CelError,
  CompileError,
  compile,
  compileUnchecked,
  Double,
  equalValues,
  formatType,
  type Program,
  typeOf,
  type Value,
} from './index.ts';
import {
  bindingsOf,
  environmentOf,
  typeFrom,
  usual,
  valueFrom,
  type World,
  withStrongEnums,
} from './testing/conformance-data.ts';

const skips = new Map(
  Object.entries(
    JSON.parse(readFileSync(new URL('./conformance-skips.json', import.meta.url), 'utf8')) as Record<
      string,
      string[]
    >,
  ).flatMap(([reason, names]) => names.map((name) => [name, reason] as const)),
);

/** Undefined if the expression does not compile, which a test that expects an error allows. */
function programOf(test: SimpleTest, world: World, wantsError: boolean): Program | undefined {
  try {
    return (test.disableCheck ? compileUnchecked : compile)(test.expr, environmentOf(test, world));
  } catch (error) {
    if (error instanceof CompileError && wantsError) return undefined;
    throw error;
  }
}

function sameResult(found: Value, wanted: Value): boolean {
  if (found instanceof Double && wanted instanceof Double && Number.isNaN(found.value))
    return Number.isNaN(wanted.value);
  return typeOf(found).name === typeOf(wanted).name && equalValues(found, wanted);
}

function run(test: SimpleTest, world: World): void {
  const matcher = test.resultMatcher;
  const wantsError = matcher.case === 'evalError' || matcher.case === 'anyEvalErrors';
  const program = programOf(test, world, wantsError);
  if (program === undefined) return;
  const typed = matcher.case === 'typedResult' ? matcher.value : undefined;
  if (typed !== undefined)
    expect(formatType(program.type)).toBe(formatType(typeFrom(typed.deducedType, world)));
  if (test.checkOnly) return;
  const { value } = program.evaluate(bindingsOf(test, world));
  if (wantsError) {
    expect(value).toBeInstanceOf(CelError);
    return;
  }
  const wanted = typed?.result ?? (matcher.case === 'value' ? matcher.value : undefined);
  const expected = wanted === undefined ? true : valueFrom(wanted, world);
  expect(sameResult(value, expected), `expected ${shown(expected)} but found ${shown(value)}`).toBe(true);
}

function shown(value: Value): string {
  return `${formatType(typeOf(value))} ${value instanceof CelError ? value.message : describeValue(value)}`;
}

function describeValue(value: Value): string {
  const seen = typeof value === 'object' && value !== null && 'raw' in value ? value.raw : value;
  return JSON.stringify(seen, (_, part) => (typeof part === 'bigint' ? `${part}n` : part));
}

function define(suite: IncrementalTestSuite, path: string): void {
  const world = path.startsWith('enums/strong') ? withStrongEnums : usual;
  describe(suite.name, () => {
    for (const inner of suite.suites) define(inner, `${path}/${inner.name}`);
    for (const { name, original } of suite.tests) {
      const reason = skips.get(`${path}/${name}`);
      if (reason === undefined) it(name, () => run(original, world));
      else it(`fails, for ${reason}: ${name}`, () => expect(() => run(original, world)).toThrow());
    }
  });
}

const isEmpty = (suite: IncrementalTestSuite): boolean =>
  suite.tests.length === 0 && suite.suites.every(isEmpty);

for (const suite of getConformanceSuite().suites) if (!isEmpty(suite)) define(suite, suite.name);
