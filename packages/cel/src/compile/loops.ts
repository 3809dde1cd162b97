// Loops over lists and maps. The costs per iteration are those of the expansion that upstream interprets.
import { listCreateCost } from '../cost/range.ts';
import { costExceeded, work } from '../meter.ts';
import { describe } from '../stdlib/describe.ts';
import { mapOfValue } from '../values/comparable.ts';
import { CelError, noSuchOverload } from '../values/error.ts';
import { ArrayList, CelList } from '../values/list.ts';
import { type CelMap, EntryMap, type PrimitiveKey, primitiveKey } from '../values/map.ts';
import type { CelType } from '../values/types.ts';
import type { Value } from '../values.ts';
import type { Frame, Run } from './frame.ts';
import { type Node, nodeOf } from './node.ts';

export interface LoopVariables {
  readonly first: number;
  readonly second: number | undefined;
}

/** One iteration: false ends the loop. */
type Round = (frame: Frame) => boolean;

/** Runs the iterations over a range; returns an error if the range is not iterable. */
function forEach(frame: Frame, range: Value, variables: LoopVariables, round: Round): CelError | undefined {
  if (range instanceof CelList) return overList(frame, range, variables, round);
  const map = mapOfValue(range);
  if (map !== undefined) return overMap(frame, map, variables, round);
  return range instanceof CelError ? range : noSuchOverload();
}

function overList(frame: Frame, list: CelList, { first, second }: LoopVariables, round: Round): undefined {
  const { locals } = frame;
  const { size } = list;
  for (let index = 0; index < size; index++) {
    work(1);
    if (second === undefined) locals[first] = list.at(index);
    else {
      locals[first] = index;
      locals[second] = list.at(index);
    }
    if (!round(frame)) return;
    if (frame.cost > frame.limit) frame.charge(0);
  }
}

function overMap(frame: Frame, map: CelMap, { first, second }: LoopVariables, round: Round): undefined {
  const { locals } = frame;
  for (const key of map.keys()) {
    work(1);
    locals[first] = key;
    if (second !== undefined) locals[second] = map.get(key);
    if (!round(frame)) return;
    if (frame.cost > frame.limit) frame.charge(0);
  }
}

const asError = (value: Value): CelError => (value instanceof CelError ? value : noSuchOverload());

/**
 * all (decides = false) and exists (decides = true), specialized for lists with one variable, as in nearly
 * all rules.
 */
export function quantifierNode(
  range: Node,
  variables: LoopVariables,
  predicate: Node,
  decides: boolean,
  type: CelType,
): Node {
  const rangeRun = range.run;
  const test = predicate.run;
  const conditionCost = decides ? 3 : 2;
  const roundCost = conditionCost + 1 + predicate.cost;
  const { first, second } = variables;
  const run = (frame: Frame): Value => {
    const over = rangeRun(frame);
    if (second !== undefined || !(over instanceof CelList))
      return quantify(frame, over, variables, test, roundCost, conditionCost, decides);
    let result: Value = !decides;
    const { locals, limit } = frame;
    const { size } = over;
    for (let index = 0; index < size; index++) {
      work(1);
      frame.cost += roundCost;
      locals[first] = over.at(index);
      const value = test(frame);
      if (frame.cost > limit) throw costExceeded;
      if (value === decides) {
        if (index + 1 < size) frame.cost += conditionCost;
        return decides;
      }
      if (value !== !decides && result === !decides) result = asError(value);
    }
    return result;
  };
  return nodeOf(type, range.cost + 1, run);
}

/** The same over anything. The iteration after the decision costs its condition and ends the loop. */
function quantify(
  frame: Frame,
  range: Value,
  variables: LoopVariables,
  test: Run,
  roundCost: number,
  conditionCost: number,
  decides: boolean,
): Value {
  let result: Value = !decides;
  const failed = forEach(frame, range, variables, (inner) => {
    inner.cost += result === decides ? conditionCost : roundCost;
    if (result === decides) return false;
    const value = test(inner);
    if (value === decides) result = decides;
    else if (value !== !decides && result === !decides) result = asError(value);
    return true;
  });
  return failed ?? result;
}

export function existsOneNode(range: Node, variables: LoopVariables, predicate: Node, type: CelType): Node {
  const rangeRun = range.run;
  const test = predicate.run;
  const testCost = predicate.cost;
  const run = (frame: Frame): Value => {
    let count = 0;
    let error: CelError | undefined;
    const failed = forEach(frame, rangeRun(frame), variables, (inner) => {
      inner.cost += testCost;
      const value = test(inner);
      if (value === true) {
        inner.cost += 2;
        count++;
      } else if (value !== false) error = asError(value);
      return error === undefined;
    });
    return failed ?? error ?? count === 1;
  };
  return nodeOf(type, range.cost + 2, run);
}

/** Elements that match the filter: map, filter, transformList. */
export function collectNode(
  range: Node,
  variables: LoopVariables,
  filter: Node | undefined,
  element: Node,
  type: CelType,
): Node {
  const rangeRun = range.run;
  const elementRun = element.run;
  const elementCost = 2 + element.cost + (element.constant === undefined ? listCreateCost : 0);
  const run = (frame: Frame): Value => {
    const values: Value[] = [];
    let error: CelError | undefined;
    const collect = (inner: Frame): boolean => {
      inner.cost += elementCost;
      const value = elementRun(inner);
      if (value instanceof CelError) error = value;
      else values.push(value);
      return error === undefined;
    };
    const round = filter === undefined ? collect : filteredRound(filter, collect, (found) => (error = found));
    const failed = forEach(frame, rangeRun(frame), variables, round);
    return failed ?? error ?? new ArrayList(values);
  };
  return nodeOf(type, range.cost + 1, run);
}

function filteredRound(filter: Node, then: Round, fail: (error: CelError) => void): Round {
  const { run, cost } = filter;
  return (frame) => {
    frame.cost += cost;
    const value = run(frame);
    if (value === true) return then(frame);
    if (value === false) return true;
    fail(asError(value));
    return false;
  };
}

/** transformMap (key and value) and transformMapEntry (a map to merge in). */
export function insertNode(
  range: Node,
  variables: LoopVariables,
  filter: Node | undefined,
  entry: readonly Node[],
  type: CelType,
): Node {
  const rangeRun = range.run;
  const runs = entry.map((node) => node.run);
  const entryCost = entry.reduce((sum, node) => sum + node.cost, 2);
  const run = (frame: Frame): Value => {
    const built = new Map<PrimitiveKey, readonly [Value, Value]>();
    let error: CelError | undefined;
    const insert = (inner: Frame): boolean => {
      inner.cost += entryCost;
      error =
        runs.length === 2
          ? insertPair(built, runs[0]!(inner), runs[1]!(inner))
          : insertAll(built, runs[0]!(inner));
      return error === undefined;
    };
    const round = filter === undefined ? insert : filteredRound(filter, insert, (found) => (error = found));
    const failed = forEach(frame, rangeRun(frame), variables, round);
    return failed ?? error ?? new EntryMap(built);
  };
  return nodeOf(type, range.cost + 1, run);
}

type Entries = Map<PrimitiveKey, readonly [Value, Value]>;

function insertPair(into: Entries, key: Value, value: Value): CelError | undefined {
  if (key instanceof CelError) return key;
  if (value instanceof CelError) return value;
  const primitive = primitiveKey(key);
  if (primitive === undefined) return new CelError('unsupported key type');
  if (into.has(primitive)) return new CelError(`insert failed: key ${describe(key)} already exists`);
  into.set(primitive, [key, value]);
  return undefined;
}

function insertAll(into: Entries, from: Value): CelError | undefined {
  const map = mapOfValue(from);
  if (map === undefined) return asError(from);
  for (const key of map.keys()) {
    work(1);
    const error = insertPair(into, key, map.get(key)!);
    if (error !== undefined) return error;
  }
  return undefined;
}

/** cel.bind and similar: the value is computed when it is first used, if ever. */
export function bindNode(slot: number, result: Node, type: CelType): Node {
  const { run } = result;
  const bound = (frame: Frame): Value => {
    frame.locals[slot] = undefined;
    return run(frame);
  };
  return nodeOf(type, result.cost, bound, { raw: undefined });
}

interface GeneralLoop {
  readonly range: Node;
  readonly variables: LoopVariables;
  readonly accu: number;
  readonly init: Node;
  readonly condition: Node;
  readonly step: Node;
  readonly result: Node;
}

/** A loop that is not from a known macro. */
export function generalNode(loop: GeneralLoop, type: CelType): Node {
  const { range, init, condition, step, result, accu } = loop;
  const runs: Record<'range' | 'init' | 'condition' | 'step' | 'result', Run> = {
    range: range.run,
    init: init.run,
    condition: condition.run,
    step: step.run,
    result: result.run,
  };
  const roundCost = condition.cost + step.cost;
  const run = (frame: Frame): Value => {
    const over = runs.range(frame);
    frame.locals[accu] = runs.init(frame);
    const failed = forEach(frame, over, loop.variables, (inner) => {
      inner.cost += roundCost;
      if (runs.condition(inner) === false) return false;
      inner.locals[accu] = runs.step(inner);
      return true;
    });
    return failed ?? runs.result(frame);
  };
  return nodeOf(type, range.cost + init.cost + result.cost, run);
}
