// math.least and math.greatest (any number of arguments), rounding, signs, bits, square root.
import type { Expr } from '../ast.ts';
import {
  type FunctionDeclaration,
  functionOf,
  type Implementation,
  type Library,
  type Macro,
  overload,
} from '../extension.ts';
import { compareValues } from '../stdlib/compare.ts';
import { CelError, failure, noSuchOverload } from '../values/error.ts';
import type { CelList } from '../values/list.ts';
import { Double, normalInt, Uint } from '../values/numbers.ts';
import { boolType, type CelType, doubleType, dynType, intType, listType, uintType } from '../values/types.ts';
import type { Value } from '../values.ts';
import { bitFunctions } from './math-bits.ts';

const numeric: readonly CelType[] = [doubleType, intType, uintType];

/** `keepsFirst` decides by the comparison of two values whether the first is kept. */
function extreme(name: string, keepsFirst: (order: number) => boolean): FunctionDeclaration {
  const pair = (a: Value, b: Value): Value => {
    const order = compareValues(a, b);
    if (order instanceof CelError) return failure(`${order.message}: math.@${name}`);
    return keepsFirst(order) ? a : b;
  };
  const ofList = (given: Value): Value => {
    const list = given as CelList;
    if (list.size === 0) return failure(`math.@${name}(list) argument must not be empty`);
    let found: Value = list.at(0);
    for (const element of list) {
      found = pair(found, element);
      if (found instanceof CelError) return found;
    }
    return isNumber(found) ? found : failure(`no such overload: math.@${name}`);
  };
  const single: Implementation = (value) => value!;
  return functionOf(
    `math.@${name}`,
    ...numeric.map((type) => overload(`math_@${name}_${type.name}`, [type], type, single)),
    ...numeric.flatMap((a) =>
      numeric.map((b) =>
        overload(`math_@${name}_${a.name}_${b.name}`, [a, b], a === b ? a : dynType, pair as Implementation),
      ),
    ),
    ...numeric.map((type) =>
      overload(`math_@${name}_list_${type.name}`, [listType(type)], type, ofList as Implementation),
    ),
  );
}

const isNumber = (value: Value): boolean =>
  typeof value === 'number' || typeof value === 'bigint' || value instanceof Double || value instanceof Uint;

function isNumericArgument(arg: Expr): boolean {
  if (arg.kind === 'literal') return isNumber(arg.value);
  return arg.kind !== 'list' && arg.kind !== 'map' && arg.kind !== 'struct';
}

function variadic(name: 'least' | 'greatest', to: 'min' | 'max'): Macro {
  return {
    name,
    receiver: true,
    args: undefined,
    expand: (context, target, args) => {
      if (target?.kind !== 'ident' || target.name !== 'math') return undefined;
      const call = `math.${name}()`;
      if (args.length === 0) return context.fail(`${call} requires at least one argument`, target);
      if (args.length === 1)
        return singleArgument(args[0]!)
          ? context.call(`math.@${to}`, args[0]!)
          : context.fail(`${call} invalid single argument value`, args[0]);
      const bad = args.find((arg) => !isNumericArgument(arg));
      if (bad !== undefined) return context.fail(`${call} simple literal arguments must be numeric`, bad);
      return context.call(`math.@${to}`, ...(args.length === 2 ? args : [context.list(...args)]));
    },
  };
}

function singleArgument(arg: Expr): boolean {
  if (arg.kind === 'list') return arg.elements.length > 0 && arg.elements.every(isNumericArgument);
  return isNumericArgument(arg);
}

const onDouble = (name: string, result: CelType, compute: (value: number) => Value): FunctionDeclaration =>
  functionOf(
    `math.${name}`,
    overload(`math_${name}_double`, [doubleType], result, (value) => compute((value as Double).value)),
  );

/** Half away from zero, unlike Math.round. */
const roundHalfAway = (value: number): number => (value < 0 ? -Math.round(-value) : Math.round(value));

function absolute(value: Value): Value {
  if (typeof value === 'number') return Math.abs(value);
  if (typeof value === 'bigint')
    return value === -(2n ** 63n) ? failure('integer overflow') : normalInt(value < 0n ? -value : value);
  return value instanceof Double ? new Double(Math.abs(value.value)) : value;
}

function sign(value: Value): Value {
  if (typeof value === 'number' || typeof value === 'bigint') return value > 0 ? 1 : value < 0 ? -1 : 0;
  if (value instanceof Uint) return new Uint(value.value === 0 ? 0 : 1);
  return value instanceof Double
    ? new Double(value.value === 0 ? 0 : Math.sign(value.value))
    : noSuchOverload();
}

function squareRoot(value: Value): Value {
  const number = value instanceof Double || value instanceof Uint ? value.value : (value as number | bigint);
  return new Double(Math.sqrt(Number(number)));
}

const each = (name: string, call: Implementation, result?: CelType): FunctionDeclaration =>
  functionOf(
    `math.${name}`,
    ...numeric.map((type) => overload(`math_${name}_${type.name}`, [type], result ?? type, call)),
  );

const versionOne: readonly FunctionDeclaration[] = [
  onDouble('ceil', doubleType, (value) => new Double(Math.ceil(value))),
  onDouble('floor', doubleType, (value) => new Double(Math.floor(value))),
  onDouble('round', doubleType, (value) => new Double(roundHalfAway(value))),
  onDouble('trunc', doubleType, (value) => new Double(Math.trunc(value))),
  onDouble('isInf', boolType, (value) => Math.abs(value) === Number.POSITIVE_INFINITY),
  onDouble('isNaN', boolType, (value) => Number.isNaN(value)),
  onDouble('isFinite', boolType, (value) => Number.isFinite(value)),
  each('abs', absolute as Implementation),
  each('sign', sign as Implementation),
  ...bitFunctions,
];

/** Version 0 has least and greatest; 1 adds rounding, signs and bits; 2 the square root. */
export function mathLibrary(version = 2): Library {
  return {
    name: 'math',
    macros: [variadic('least', 'min'), variadic('greatest', 'max')],
    functions: [
      extreme('min', (order) => order <= 0),
      extreme('max', (order) => order >= 0),
      ...(version >= 1 ? versionOne : []),
      ...(version >= 2 ? [each('sqrt', squareRoot as Implementation, doubleType)] : []),
    ],
  };
}
