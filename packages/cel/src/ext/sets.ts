// sets.contains, sets.equivalent, sets.intersects: lists seen as sets.
import { addRange, multiplyRange, one, scaleRange } from '../cost/range.ts';
import { type CallCost, type CallEstimator, functionOf, type Library, overload } from '../extension.ts';
import type { CelList } from '../values/list.ts';
import { boolType, listType, typeParam } from '../values/types.ts';
import type { Value } from '../values.ts';
import { operandSize } from './operand-size.ts';

const listOfT = listType(typeParam('T'));

const price =
  (factor: number): CallCost =>
  ([a, b]) =>
    1 + Math.floor((a as CelList).size * (b as CelList).size * factor);

const estimate =
  (factor: number): CallEstimator =>
  (sizes, _target, [a, b]) => ({
    cost: addRange(scaleRange(multiplyRange(operandSize(sizes, a!), operandSize(sizes, b!)), factor), one),
  });

function containsAll(list: CelList, part: CelList): boolean {
  for (const element of part) if (!list.contains(element)) return false;
  return true;
}

function intersects(a: CelList, b: CelList): boolean {
  for (const element of a) if (b.contains(element)) return true;
  return false;
}

const test = (name: string, factor: number, holds: (a: CelList, b: CelList) => boolean) =>
  functionOf(
    `sets.${name}`,
    overload(
      `list_sets_${name}_list`,
      [listOfT, listOfT],
      boolType,
      (a, b): Value => holds(a as CelList, b as CelList),
      {
        cost: price(factor),
        estimate: estimate(factor),
      },
    ),
  );

/** `sets.contains`, `sets.equivalent` and `sets.intersects`. */
export const setsLibrary: Library = {
  name: 'sets',
  functions: [
    test('contains', 1, containsAll),
    test('intersects', 1, intersects),
    test('equivalent', 2, (a, b) => containsAll(a, b) && containsAll(b, a)),
  ],
};
