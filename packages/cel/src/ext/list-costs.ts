// What the functions on lists cost, by overload.
import {
  addRange,
  fixed,
  listCreateCost,
  multiplyRange,
  type SizeEstimate,
  scaleRange,
  stringTraversalFactor,
  unbounded,
} from '../cost/range.ts';
import type { CallCost, CallEstimate, CallEstimator, Overload } from '../extension.ts';
import { CelList } from '../values/list.ts';
import { sizeOf } from '../values/size.ts';
import type { Value } from '../values.ts';
import { callCost, literalCount, operandSize } from './operand-size.ts';

const allocating = (factor: number, size: number): number =>
  Math.floor(size * (factor < 0 ? 1 : factor)) + callCost + listCreateCost;

const allocatingEstimate = (factor: number, size: SizeEstimate): CallEstimate => ({
  cost: addRange(scaleRange(size, factor), fixed(callCost + listCreateCost)),
  resultSize: size,
});

const sizeOfResult: CallCost = (_args, result) => allocating(1, sizeOf(result));
const flattening: CallCost = ([list, depth]) => allocating(depthOf(depth), sizeOf(list!));

function depthOf(depth: Value | undefined): number {
  return typeof depth === 'number' || typeof depth === 'bigint' ? Number(depth) : 1;
}

function comparingAll(given: Value | undefined): number {
  const first = given instanceof CelList && given.size > 0 ? given.at(0) : undefined;
  const isText = typeof first === 'string' || first instanceof Uint8Array;
  return allocating(isText ? 2 + stringTraversalFactor : 2, sizeOf(given!) ** 2);
}

const sliced: CallEstimator = (sizes, target, [from, to]) => {
  const end = literalCount(to!, operandSize(sizes, target!).max);
  return allocatingEstimate(1, fixed(Math.max(0, end - literalCount(from!, 0))));
};

const flattened: CallEstimator = (sizes, target, [depth]) =>
  allocatingEstimate(depth === undefined ? 1 : literalCount(depth, unbounded), operandSize(sizes, target!));

const comparedAll = (factor: number, size: SizeEstimate): CallEstimate =>
  allocatingEstimate(factor, multiplyRange(size, size));

const textFactor = (id: string): number =>
  id.startsWith('list_string_') || id.startsWith('list_bytes_') ? 2 + stringTraversalFactor : 2;

export function listCosts(id: string): Pick<Overload, 'cost' | 'estimate'> {
  switch (id) {
    case 'list_slice':
      return { cost: sizeOfResult, estimate: sliced };
    case 'list_flatten':
    case 'list_flatten_int':
      return { cost: flattening, estimate: flattened };
    case 'lists_range':
      return {
        cost: sizeOfResult,
        estimate: (_sizes, _target, [count]) => allocatingEstimate(1, fixed(literalCount(count!, unbounded))),
      };
    case 'list_reverse':
      return {
        cost: sizeOfResult,
        estimate: (sizes, target) => allocatingEstimate(1, operandSize(sizes, target!)),
      };
    case 'list_distinct':
      return {
        cost: ([list]) => comparingAll(list),
        estimate: (sizes, target) => comparedAll(2, operandSize(sizes, target!)),
      };
    default:
      return id.endsWith('_sort')
        ? {
            cost: ([list]) => comparingAll(list),
            estimate: (sizes, target) => comparedAll(textFactor(id), operandSize(sizes, target!)),
          }
        : {
            cost: ([, keys]) => comparingAll(keys),
            estimate: (sizes, _target, [keys]) => comparedAll(textFactor(id), operandSize(sizes, keys!)),
          };
  }
}
