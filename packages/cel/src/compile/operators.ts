// Operators and functions that are common enough for specialized closures: comparison, equality, arithmetic
// on ints, size, in, and matching a constant pattern.

import { regexLengthFactor, stringTraversalFactor } from '../cost/range.ts';
import { comparisonCost } from '../cost/standard-calls.ts';
import type { CallCost, CostModel, Overload } from '../extension.ts';
import { operators } from '../operators.ts';
import { add, addInt, subtract, subtractInt } from '../stdlib/arithmetic.ts';
import { greater, greaterEquals, less, lessEquals } from '../stdlib/compare.ts';
import { compilePattern, matchesPattern } from '../stdlib/regex.ts';
import { equalValues } from '../values/equality.ts';
import { CelError, noSuchOverload } from '../values/error.ts';
import { CelList } from '../values/list.ts';
import { type PrimitiveKey, primitiveKey } from '../values/map.ts';
import { codePoints, sizeOf } from '../values/size.ts';
import { boolType, type CelType, intType } from '../values/types.ts';
import type { Value } from '../values.ts';
import type { Frame, Run } from './frame.ts';
import { constantNode, type Node, nodeOf } from './node.ts';

interface CallSite {
  readonly name: string;
  readonly overloads: readonly Overload[];
  readonly args: readonly Node[];
  readonly type: CelType;
  readonly model: CostModel;
}

/** Undefined if the call has no specialized closure. */
export function specialNode(site: CallSite): Node | undefined {
  switch (site.name) {
    case operators.equals:
      return equalityNode(site, false);
    case operators.notEquals:
      return equalityNode(site, true);
    case operators.in:
      return membershipNode(site);
    case 'matches':
      return matchNode(site);
    case 'size':
      return stringSizeNode(site);
    default:
      return intNode(site);
  }
}

const isPriced = ({ name, overloads, model }: CallSite): boolean =>
  overloads[0]?.cost !== undefined || model.callCost?.(name, overloads[0]!.id) !== undefined;

// Equality

const scalarKinds = new Set(['bool', 'int', 'uint', 'double', 'timestamp', 'duration', 'null']);
const isScalar = (node: Node): boolean => scalarKinds.has(node.type.kind) && !node.type.nullable;

function equalityNode(site: CallSite, negated: boolean): Node {
  const [a, b] = site.args as [Node, Node];
  const model = site.model.callCost?.(site.name, negated ? 'not_equals' : 'equals');
  if (isScalar(a) && isScalar(b))
    return nodeOf(boolType, a.cost + b.cost + 1, equality(a.run, b.run, negated, undefined));
  const price = (left: Value, right: Value): number => priceOfEquality(model, left, right);
  return nodeOf(boolType, a.cost + b.cost, equality(a.run, b.run, negated, price));
}

function priceOfEquality(model: CallCost | undefined, left: Value, right: Value): number {
  return model?.([left, right], true) ?? comparisonCost(left, right);
}

function equality(
  left: Run,
  right: Run,
  negated: boolean,
  price: ((a: Value, b: Value) => number) | undefined,
): Run {
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    if (price === undefined && typeof a === 'number' && typeof b === 'number') return (a === b) !== negated;
    if (price !== undefined) frame.charge(price(a, b));
    if (a instanceof CelError) return a;
    if (b instanceof CelError) return b;
    return equalValues(a, b) !== negated;
  };
}

// Ints

type IntOperator = {
  readonly ofNumbers: (left: Run, right: Run, slow: (a: Value, b: Value) => Value) => Run;
  readonly slow: (a: Value, b: Value) => Value;
};

const strictly =
  (call: (a: Value, b: Value) => Value) =>
  (a: Value, b: Value): Value => {
    if (a instanceof CelError) return a;
    return b instanceof CelError ? b : call(a, b);
  };

// Each has its own closure, as one that took the operator as a parameter would be slower by half.
const intOperators: Readonly<Record<string, IntOperator>> = {
  [operators.less]: {
    slow: strictly(less),
    ofNumbers: (left, right, slow) => (frame) => {
      const [a, b] = [left(frame), right(frame)];
      return typeof a === 'number' && typeof b === 'number' ? a < b : slow(a, b);
    },
  },
  [operators.lessEquals]: {
    slow: strictly(lessEquals),
    ofNumbers: (left, right, slow) => (frame) => {
      const [a, b] = [left(frame), right(frame)];
      return typeof a === 'number' && typeof b === 'number' ? a <= b : slow(a, b);
    },
  },
  [operators.greater]: {
    slow: strictly(greater),
    ofNumbers: (left, right, slow) => (frame) => {
      const [a, b] = [left(frame), right(frame)];
      return typeof a === 'number' && typeof b === 'number' ? a > b : slow(a, b);
    },
  },
  [operators.greaterEquals]: {
    slow: strictly(greaterEquals),
    ofNumbers: (left, right, slow) => (frame) => {
      const [a, b] = [left(frame), right(frame)];
      return typeof a === 'number' && typeof b === 'number' ? a >= b : slow(a, b);
    },
  },
  [operators.add]: {
    slow: strictly(add),
    ofNumbers: (left, right, slow) => (frame) => {
      const [a, b] = [left(frame), right(frame)];
      return typeof a === 'number' && typeof b === 'number' ? addInt(a, b) : slow(a, b);
    },
  },
  [operators.subtract]: {
    slow: strictly(subtract),
    ofNumbers: (left, right, slow) => (frame) => {
      const [a, b] = [left(frame), right(frame)];
      return typeof a === 'number' && typeof b === 'number' ? subtractInt(a, b) : slow(a, b);
    },
  },
};

function intNode(site: CallSite): Node | undefined {
  const operator = Object.hasOwn(intOperators, site.name) ? intOperators[site.name] : undefined;
  const [a, b] = site.args;
  if (operator === undefined || a?.type.kind !== 'int' || b?.type.kind !== 'int' || isPriced(site))
    return undefined;
  return nodeOf(site.type, a.cost + b.cost + 1, operator.ofNumbers(a.run, b.run, operator.slow));
}

// Membership in a constant list

function membershipNode({ args, overloads }: CallSite): Node | undefined {
  const [value, list] = args as [Node, Node];
  if (overloads.length !== 1 || overloads[0]!.id !== 'in_list' || !(list.constant instanceof CelList))
    return undefined;
  if (list.constant.size === 0) return constantNode(boolType, false);
  const keys = keySet(list.constant);
  if (keys === undefined) return undefined;
  const { run } = value;
  const find = (frame: Frame): Value => {
    const found = run(frame);
    if (found instanceof CelError) return found;
    const key = primitiveKey(found);
    return key !== undefined && keys.has(key);
  };
  return nodeOf(boolType, value.cost, find);
}

function keySet(list: CelList): ReadonlySet<PrimitiveKey> | undefined {
  const keys = new Set<PrimitiveKey>();
  for (const element of list) {
    const key = primitiveKey(element);
    if (key === undefined) return undefined;
    keys.add(key);
  }
  return keys;
}

// Text

function matchNode(site: CallSite): Node | undefined {
  const [text, pattern] = site.args as [Node, Node];
  if (typeof pattern.constant !== 'string' || text.type.kind !== 'string' || isPriced(site)) return undefined;
  const compiled = compilePattern(pattern.constant);
  if (compiled instanceof CelError) return undefined;
  const patternCost = Math.ceil(codePoints(pattern.constant) * regexLengthFactor);
  const { run } = text;
  const match = (frame: Frame): Value => {
    const value = run(frame);
    frame.charge(Math.ceil((1 + sizeOf(value)) * stringTraversalFactor) * patternCost);
    if (typeof value !== 'string') return value instanceof CelError ? value : noSuchOverload();
    return matchesPattern(compiled, value);
  };
  return nodeOf(boolType, text.cost, match);
}

function stringSizeNode(site: CallSite): Node | undefined {
  const [text] = site.args;
  if (text?.type.kind !== 'string' || text.type.nullable || isPriced(site)) return undefined;
  const { run } = text;
  const size = (frame: Frame): Value => {
    const value = run(frame);
    return typeof value === 'string'
      ? codePoints(value)
      : value instanceof CelError
        ? value
        : noSuchOverload();
  };
  return nodeOf(intType, text.cost + 1, size);
}
