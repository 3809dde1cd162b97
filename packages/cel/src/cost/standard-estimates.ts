// Estimates for calls of the standard library, by overload; the counterpart of standard-calls.ts. What is not
// here costs 1.
import type { CallEstimate, OperandNode } from '../extension.ts';
import {
  addRange,
  fixed,
  multiplyRange,
  one,
  regexLengthFactor,
  type SizeEstimate,
  saturate,
  scaleRange,
  stringTraversalFactor,
  unbounded,
  unknownRange,
} from './range.ts';

type Estimate = (target: OperandNode | undefined, args: readonly OperandNode[]) => CallEstimate | undefined;

const sizeOf = (node: OperandNode | undefined): SizeEstimate => node?.computedSize ?? unknownRange;
const traversal = (size: SizeEstimate) => scaleRange(size, stringTraversalFactor);

const format: Estimate = (target) => (target === undefined ? undefined : { cost: traversal(sizeOf(target)) });

const toBytes: Estimate = (_target, [text]) => {
  const size = sizeOf(text);
  return { cost: traversal(size), resultSize: { min: size.min, max: saturate(size.max * 4) } };
};

const toText: Estimate = (_target, [bytes]) => {
  const size = sizeOf(bytes);
  return { cost: traversal(size), resultSize: { min: Math.floor(size.min / 4), max: size.max } };
};

/**
 * For a text of unknown size upstream's result size overflows to 0; which rules are refused depends on it.
 */
const quote: Estimate = (_target, [text]) => {
  const size = sizeOf(text);
  return {
    cost: traversal(size),
    resultSize: { min: size.min + 2, max: size.max >= unbounded ? 0 : saturate(size.max * 2 + 2) },
  };
};

const prefix: Estimate = (_target, [part]) => ({ cost: traversal(sizeOf(part)) });
const membership: Estimate = (_target, args) => ({ cost: sizeOf(args[1]) });

const matching = (text: OperandNode | undefined, pattern: OperandNode | undefined): CallEstimate => ({
  cost: multiplyRange(traversal(addRange(sizeOf(text), one)), scaleRange(sizeOf(pattern), regexLengthFactor)),
});

const containing: Estimate = (target, [part]) => ({
  cost: multiplyRange(traversal(sizeOf(target)), traversal(sizeOf(part))),
});

const concatenation =
  (cost: (size: SizeEstimate) => SizeEstimate): Estimate =>
  (_target, [left, right]) => {
    const size = addRange(sizeOf(left), sizeOf(right));
    return { cost: cost(size), resultSize: size };
  };

const comparison: Estimate = (_target, [left, right]) => {
  const max = Math.min(sizeOf(left).max, sizeOf(right).max);
  return { cost: traversal({ min: max > 0 ? 1 : 0, max }) };
};

const estimates: ReadonlyMap<string, Estimate> = new Map<string, Estimate>([
  ['string_format', format],
  ['string_to_bytes', toBytes],
  ['bytes_to_string', toText],
  ['strings_quote', quote],
  ['starts_with_string', prefix],
  ['ends_with_string', prefix],
  ['in_list', membership],
  ['matches_string', (target, [pattern]) => matching(target, pattern)],
  ['matches', (_target, [text, pattern]) => matching(text, pattern)],
  ['contains_string', containing],
  ['add_string', concatenation(traversal)],
  ['add_bytes', concatenation(traversal)],
  ['add_list', concatenation(() => fixed(1))],
  ...['less', 'less_equals', 'greater', 'greater_equals'].flatMap((name): [string, Estimate][] => [
    [`${name}_string`, comparison],
    [`${name}_bytes`, comparison],
  ]),
  ['equals', comparison],
  ['not_equals', comparison],
]);

export function estimateStandardCall(
  overloadId: string,
  target: OperandNode | undefined,
  args: readonly OperandNode[],
): CallEstimate | undefined {
  return estimates.get(overloadId)?.(target, args);
}
