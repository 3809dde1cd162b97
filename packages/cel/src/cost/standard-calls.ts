// The run-time costs of the standard library, by overload. What is not here costs 1. These are upstream's
// numbers, so that a rule is aborted where kube-apiserver aborts it.
import type { CallCost } from '../extension.ts';
import { sizeOf } from '../values/size.ts';
import type { Value } from '../values.ts';
import { regexLengthFactor, stringTraversalFactor } from './range.ts';

const traversal = (size: number): number => Math.ceil(size * stringTraversalFactor);

const ofFirst: CallCost = ([first]) => traversal(sizeOf(first!));
const ofSecond: CallCost = ([, second]) => traversal(sizeOf(second!));
const ofSum: CallCost = ([a, b]) => traversal(sizeOf(a!) + sizeOf(b!));

/**
 * A comparison ends with the shorter one. Short texts need not be measured: up to ten characters cost 1.
 */
export function comparisonCost(a: Value, b: Value): number {
  if (typeof a === 'string' && typeof b === 'string') {
    const units = Math.min(a.length, b.length);
    if (units <= 10) return units === 0 ? 0 : 1;
  }
  return traversal(Math.min(sizeOf(a), sizeOf(b)));
}

const ofShorter: CallCost = ([a, b]) => comparisonCost(a!, b!);

const matching: CallCost = ([text, pattern]) =>
  traversal(1 + sizeOf(text!)) * Math.ceil(sizeOf(pattern!) * regexLengthFactor);

const containing: CallCost = ([text, part]) => traversal(sizeOf(text!)) * traversal(sizeOf(part!));

const costs: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ['starts_with_string', ofSecond],
  ['ends_with_string', ofSecond],
  ['string_to_bytes', ofFirst],
  ['bytes_to_string', ofFirst],
  ['strings_quote', ofFirst],
  ['string_format', ofFirst],
  ['in_list', ([, list]) => sizeOf(list!)],
  ...['less', 'less_equals', 'greater', 'greater_equals'].flatMap((name): [string, CallCost][] => [
    [`${name}_string`, ofShorter],
    [`${name}_bytes`, ofShorter],
  ]),
  ['equals', ofShorter],
  ['not_equals', ofShorter],
  ['add_string', ofSum],
  ['add_bytes', ofSum],
  ['matches', matching],
  ['matches_string', matching],
  ['contains_string', containing],
]);

export function standardCallCost(overloadId: string): CallCost | undefined {
  return costs.get(overloadId);
}
