// &&, || and ?: evaluate only what they need. An error on one side of && or || is ignored if the other side
// decides.
import { CelError, noSuchOverload } from '../values/error.ts';
import { boolType, type CelType } from '../values/types.ts';
import type { Value } from '../values.ts';
import type { Frame } from './frame.ts';
import { type Node, nodeOf } from './node.ts';

const asError = (value: Value): CelError => (value instanceof CelError ? value : noSuchOverload());

/** `decides` is the value that determines the result: false for &&, true for ||. */
export function logicNode(terms: readonly Node[], decides: boolean): Node {
  return terms.length === 2 ? binaryLogic(terms[0]!, terms[1]!, decides) : longLogic(terms, decides);
}

function binaryLogic(first: Node, second: Node, decides: boolean): Node {
  const left = first.run;
  const right = second.run;
  const rightCost = second.cost;
  const run = (frame: Frame): Value => {
    const a = left(frame);
    if (a === decides) return decides;
    frame.cost += rightCost;
    const b = right(frame);
    if (b === decides) return decides;
    if (a !== !decides) return asError(a);
    return b === !decides ? b : asError(b);
  };
  return nodeOf(boolType, first.cost, run);
}

function longLogic(terms: readonly Node[], decides: boolean): Node {
  const runs = terms.map((term) => term.run);
  const costs = terms.map((term, index) => (index === 0 ? 0 : term.cost));
  const run = (frame: Frame): Value => {
    let failed: CelError | undefined;
    for (let index = 0; index < runs.length; index++) {
      frame.cost += costs[index]!;
      const value = runs[index]!(frame);
      if (value === decides) return decides;
      if (value !== !decides) failed ??= asError(value);
    }
    return failed ?? !decides;
  };
  return nodeOf(boolType, terms[0]!.cost, run);
}

export function conditionalNode(condition: Node, yes: Node, no: Node, type: CelType): Node {
  const test = condition.run;
  const [whenTrue, whenFalse] = [yes.run, no.run];
  const trueCost = yes.cost - (yes.attribute?.discount ?? 0);
  const falseCost = no.cost - (no.attribute?.discount ?? 0);
  const run = (frame: Frame): Value => {
    const value = test(frame);
    if (value === true) {
      frame.cost += trueCost;
      return whenTrue(frame);
    }
    if (value !== false) return asError(value);
    frame.cost += falseCost;
    return whenFalse(frame);
  };
  return nodeOf(type, condition.cost, run, { attribute: { discount: 0 } });
}
