// Lists. A list of the host is read element by element; only lists that an expression builds are arrays of
// CEL values.
import { work } from '../meter.ts';
import { Comparable } from './comparable.ts';
import { equalValues } from './equality.ts';
import type { Value } from './value.ts';

/** A list of CEL. */
export abstract class CelList extends Comparable {
  abstract readonly size: number;
  /** The element at a whole index within bounds. */
  abstract at(index: number): Value;

  /** Overridden if the host defines its own equality (sets, keyed lists). */
  equals(other: Value): boolean {
    if (this === other) return true;
    const size = this.size;
    if (!(other instanceof CelList) || other.size !== size) return false;
    for (let index = 0; index < size; index++) {
      work(1);
      if (!equalValues(this.at(index), other.at(index))) return false;
    }
    return true;
  }

  contains(value: Value): boolean {
    const size = this.size;
    for (let index = 0; index < size; index++) {
      work(1);
      if (equalValues(this.at(index), value)) return true;
    }
    return false;
  }

  concat(other: CelList): CelList {
    if (this.size === 0) return other;
    if (other.size === 0) return this;
    return this.size + other.size <= flatLimit
      ? new ArrayList([...this, ...other])
      : new ConcatList(this, other);
  }

  *[Symbol.iterator](): Iterator<Value> {
    const size = this.size;
    for (let index = 0; index < size; index++) {
      work(1);
      yield this.at(index);
    }
  }
}

// Below this size copying costs less than walking a rope; above it `a + a` must stay cheap, or doubling would
// exhaust memory.
const flatLimit = 64;

export class ArrayList extends CelList {
  readonly elements: readonly Value[];

  constructor(elements: readonly Value[]) {
    super();
    this.elements = elements;
  }

  get size(): number {
    return this.elements.length;
  }

  at(index: number): Value {
    return this.elements[index]!;
  }
}

class ConcatList extends CelList {
  readonly size: number;
  readonly left: CelList;
  readonly right: CelList;

  constructor(left: CelList, right: CelList) {
    super();
    this.left = left;
    this.right = right;
    this.size = left.size + right.size;
  }

  at(index: number): Value {
    let list: CelList = this;
    let rest = index;
    while (list instanceof ConcatList) {
      work(1);
      const leftSize: number = list.left.size;
      if (rest < leftSize) list = list.left;
      else {
        rest -= leftSize;
        list = list.right;
      }
    }
    return list.at(rest);
  }
}

/** A list with these elements. */
export const listOf = (elements: readonly Value[]): CelList => new ArrayList(elements);
