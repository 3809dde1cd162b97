// Several rules that replace several others are compared as a whole: what one rule said before may be said by
// two now.
import type { ValidationRule } from '@instar/schema';
import type { NodePair } from '../walk/node-pair.ts';

/** Whether values show that the new rules accept more than the old ones, and none that they accept less. */
export function isWeakerTogether(
  pair: NodePair,
  before: readonly ValidationRule[],
  after: readonly ValidationRule[],
): boolean {
  const verdict = pair.context.judgeRules(pair, before, after);
  return verdict !== undefined && verdict.refused.length === 0 && verdict.admitted.length > 0;
}
