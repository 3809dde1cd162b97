// Calls of functions. An error among the arguments is the result; otherwise, of the overloads that the
// checker found, the one that matches the values is called.

import { standardCallCost } from '../cost/standard-calls.ts';
import type { CallCost, CostModel, Implementation, Overload } from '../extension.ts';
import { CelError, noSuchOverload } from '../values/error.ts';
import { typeOf } from '../values/type-of.ts';
import type { CelType } from '../values/types.ts';
import type { Value } from '../values.ts';
import type { Run } from './frame.ts';
import { type Matcher, matcherOf } from './match.ts';
import { type Node, nodeOf } from './node.ts';

/** The fixed cost of a call, or a function that computes it after the call. */
type Pricing = { readonly fixed: number } | { readonly dynamic: CallCost };

function pricingOf(name: string, overloads: readonly Overload[], model: CostModel): Pricing {
  const only = overloads.length === 1 ? overloads[0]! : undefined;
  const id = only?.id ?? '';
  const inLine = [only?.cost, model.callCost?.(name, id), standardCallCost(id)].filter(
    (cost) => cost !== undefined,
  );
  if (inLine.length === 0) return { fixed: 1 };
  return { dynamic: (args, result) => firstAnswer(inLine, args, result) };
}

function firstAnswer(inLine: readonly CallCost[], args: readonly Value[], result: Value): number {
  for (const cost of inLine) {
    const answer = cost(args, result);
    if (answer !== undefined) return answer;
  }
  return 1;
}

interface Candidate {
  readonly call: Implementation;
  readonly matchers: readonly (Matcher | undefined)[];
}

/**
 * One candidate for each different implementation; one that all overloads share checks its arguments itself.
 */
function candidatesOf(overloads: readonly Overload[]): readonly Candidate[] {
  const shared = overloads.length > 1 && overloads.every((overload) => overload.call === overloads[0]!.call);
  if (shared) return [{ call: overloads[0]!.call, matchers: [] }];
  return overloads.map((overload) => ({
    call: overload.call,
    matchers: overload.unguarded === true ? [] : overload.params.map(matcherOf),
  }));
}

function fits(candidate: Candidate, args: readonly Value[]): boolean {
  return candidate.matchers.every((matches, index) => matches === undefined || matches(args[index]!));
}

export function callNode(
  name: string,
  overloads: readonly Overload[],
  args: readonly Node[],
  type: CelType,
  model: CostModel,
): Node {
  const pricing = pricingOf(name, overloads, model);
  const fixed = 'fixed' in pricing ? pricing.fixed : 0;
  const cost = args.reduce((sum, arg) => sum + arg.cost, fixed);
  const candidates = candidatesOf(overloads);
  const run =
    'dynamic' in pricing
      ? pricedCall(name, candidates, args, pricing.dynamic)
      : plainCall(name, candidates, args, fixed);
  return nodeOf(type, cost, run);
}

// Upstream's message depends on how it binds the function: some are without details, some have its name, all
// others have its arguments.
const terse: ReadonlySet<string> = new Set(['contains', 'endsWith', 'startsWith']);
const namedOnly: ReadonlySet<string> = new Set(['matches', 'size']);

function noMatch(name: string, ...args: readonly Value[]): CelError {
  if (terse.has(name)) return noSuchOverload();
  const given = namedOnly.has(name) ? '' : `(${args.map((arg) => typeOf(arg).name).join(', ')})`;
  return new CelError(`no such overload: ${name}${given}`);
}

function dispatch(name: string, candidates: readonly Candidate[], args: readonly Value[]): Value {
  for (const candidate of candidates) if (fits(candidate, args)) return candidate.call(...args);
  return noMatch(name, ...args);
}

/**
 * As upstream, a call with up to two arguments evaluates all of them and is charged even if one fails. With
 * more arguments, the first that fails ends the call: neither the others nor the call itself is charged.
 */
function pricedCall(
  name: string,
  candidates: readonly Candidate[],
  nodes: readonly Node[],
  price: CallCost,
): Run {
  const runs = nodes.map((node) => node.run);
  if (candidates.length === 1 && runs.length === 2)
    return pricedBinaryCall(name, candidates[0]!, runs[0]!, runs[1]!, price);
  if (runs.length > 2) return longCall(name, candidates, nodes, 0, price);
  return (frame) => {
    const args = runs.map((run) => run(frame));
    const result = args.find((arg) => arg instanceof CelError) ?? dispatch(name, candidates, args);
    frame.charge(price(args, result)!);
    return result;
  };
}

function pricedBinaryCall(
  name: string,
  { call, matchers }: Candidate,
  left: Run,
  right: Run,
  price: CallCost,
): Run {
  const [matchesLeft, matchesRight] = matchers;
  const callIfFits = (a: Value, b: Value): Value => {
    if (a instanceof CelError) return a;
    if (b instanceof CelError) return b;
    const fit =
      (matchesLeft === undefined || matchesLeft(a)) && (matchesRight === undefined || matchesRight(b));
    return fit ? call(a, b) : noMatch(name);
  };
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    const result = callIfFits(a, b);
    frame.charge(price([a, b], result)!);
    return result;
  };
}

function plainCall(
  name: string,
  candidates: readonly Candidate[],
  nodes: readonly Node[],
  fixed: number,
): Run {
  const only = candidates.length === 1 ? candidates[0]! : undefined;
  const runs = nodes.map((node) => node.run);
  if (only !== undefined && runs.length === 1) return unaryCall(name, only, runs[0]!);
  if (only !== undefined && runs.length === 2) return binaryCall(name, only, runs[0]!, runs[1]!);
  if (runs.length > 2) return longCall(name, candidates, nodes, fixed, undefined);
  return (frame) => {
    const args = runs.map((run) => run(frame));
    return args.find((arg) => arg instanceof CelError) ?? dispatch(name, candidates, args);
  };
}

function unaryCall(name: string, { call, matchers }: Candidate, arg: Run): Run {
  const matches = matchers[0];
  return (frame) => {
    const value = arg(frame);
    if (value instanceof CelError) return value;
    return matches === undefined || matches(value) ? call(value) : noMatch(name, value);
  };
}

function binaryCall(name: string, { call, matchers }: Candidate, left: Run, right: Run): Run {
  const [matchesLeft, matchesRight] = matchers;
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    if (a instanceof CelError) return a;
    if (b instanceof CelError) return b;
    if (matchesLeft !== undefined && !matchesLeft(a)) return noMatch(name, a, b);
    return matchesRight === undefined || matchesRight(b) ? call(a, b) : noMatch(name, a, b);
  };
}

function longCall(
  name: string,
  candidates: readonly Candidate[],
  nodes: readonly Node[],
  fixed: number,
  price: CallCost | undefined,
): Run {
  const runs = nodes.map((node) => node.run);
  const notPaid = nodes.map((_, index) =>
    nodes.slice(index + 1).reduce((sum, node) => sum + node.cost, fixed),
  );
  return (frame) => {
    const args = new Array<Value>(runs.length);
    for (let index = 0; index < runs.length; index++) {
      const value = runs[index]!(frame);
      if (value instanceof CelError) {
        frame.cost -= notPaid[index]!;
        return value;
      }
      args[index] = value;
    }
    const result = dispatch(name, candidates, args);
    if (price !== undefined) frame.charge(price(args, result)!);
    return result;
  };
}
