// Sizes that the estimates of the extensions share.

import { type SizeEstimate, unknownRange } from '../cost/range.ts';
import type { OperandNode, SizeProvider } from '../extension.ts';

export function operandSize(sizes: SizeProvider, node: OperandNode): SizeEstimate {
  return node.computedSize ?? sizes.estimateSize(node) ?? unknownRange;
}

/** The value of an int literal, at least 0; otherwise `otherwise`. */
export function literalCount(node: OperandNode, otherwise: number): number {
  if (node.expr.kind !== 'literal') return otherwise;
  const { value } = node.expr;
  return typeof value === 'number' || typeof value === 'bigint' ? Math.max(0, Number(value)) : otherwise;
}

export const callCost = 1;
