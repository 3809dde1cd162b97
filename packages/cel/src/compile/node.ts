// A compiled expression: a closure beside what is known of it. Costs that are certain are added up while
// compiling, so that a rule pays most of its cost with a single addition: `cost` is what the node always
// costs, to be paid by whoever runs it; the closure itself pays only what depends on values and branches.
import type { CelType } from '../values/types.ts';
import type { Value } from '../values.ts';
import type { Run } from './frame.ts';

export interface Node {
  readonly run: Run;
  readonly cost: number;
  readonly type: CelType;
  /** Set when the value is known already. */
  readonly constant: Value | undefined;
  /**
   * Variables, selections, indexing and conditionals are what upstream calls attributes. Where one is the
   * branch of a conditional, or an index, or tested by has(), upstream resolves it without counting the
   * attribute itself; this is how much it leaves out.
   */
  readonly attribute: { readonly discount: number } | undefined;
  /**
   * Reads the raw host object, for nodes of object type; may yield a CEL value (an error among them) instead.
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

/** The closure with its certain cost paid inside, for places that cannot add it up beforehand. */
export function paying(node: Node): Run {
  const { run, cost } = node;
  if (cost === 0) return run;
  return (frame) => {
    frame.cost += cost;
    return run(frame);
  };
}
