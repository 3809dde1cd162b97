// A compiled expression: a closure and what is known about it. Fixed costs are summed while compiling, so
// that most of the cost of a rule is charged with a single addition: `cost` is what the node always costs,
// charged by its caller; the closure itself charges only what depends on values and branches.
import type { CelType } from '../values/types.ts';
import type { Value } from '../values.ts';
import type { Run } from './frame.ts';

export interface Node {
  readonly run: Run;
  readonly cost: number;
  readonly type: CelType;
  /** Set if the value is constant. */
  readonly constant: Value | undefined;
  /**
   * Variables, selections, indexing and conditionals are what upstream calls attributes. If one is the branch
   * of a conditional, or an index, or tested by has(), upstream resolves it without charging the attribute
   * itself; this is how much it omits.
   */
  readonly attribute: { readonly discount: number } | undefined;
  /**
   * Reads the raw host object, for nodes of object type; may return a CEL value (possibly an error) instead.
   */
  readonly raw: ((frame: Parameters<Run>[0]) => unknown) | undefined;
}

const nothingMore = {};

export function nodeOf(
  type: CelType,
  cost: number,
  run: Run,
  more: Partial<Pick<Node, 'constant' | 'attribute' | 'raw'>> = nothingMore,
): Node {
  return { type, cost, run, constant: more.constant, attribute: more.attribute, raw: more.raw };
}

export function constantNode(type: CelType, value: Value): Node {
  return nodeOf(type, 0, () => value, { constant: value });
}

/** The closure that charges its fixed cost itself, for callers that cannot sum it beforehand. */
export function paying(node: Node): Run {
  const { run, cost } = node;
  if (cost === 0) return run;
  return (frame) => {
    frame.cost += cost;
    return run(frame);
  };
}
