// Merges the items of a set or a map list. Items of the applied list keep its order; those in the live list
// alone stay in position as far as possible.
import type { JsonValue } from '@instar/machinery';
import { itemElement } from './list-item.ts';
import type { ListType, MergeType } from './merge-type.ts';

type MergeValues = (
  live: JsonValue | undefined,
  applied: JsonValue | undefined,
  type: MergeType,
) => JsonValue;

/** `whole` is the applied value, which is used if both sides are empty. */
export function mergeItems(
  live: JsonValue[],
  applied: JsonValue[],
  list: ListType,
  whole: JsonValue,
  merge: MergeValues,
): JsonValue {
  if (live.length === 0 && applied.length === 0) return whole;
  return new ItemMerge(live, applied, list, merge).run();
}

class ItemMerge {
  readonly #list: ListType;
  readonly #merge: MergeValues;
  readonly #live: JsonValue[];
  readonly #liveElements: string[];
  readonly #appliedElements: string[];
  /** By element. An element that occurs several times has no item to merge with. */
  readonly #liveItems = new Map<string, JsonValue>();
  readonly #appliedItems = new Map<string, JsonValue>();
  readonly #out: JsonValue[] = [];

  constructor(live: JsonValue[], applied: JsonValue[], list: ListType, merge: MergeValues) {
    this.#list = list;
    this.#merge = merge;
    [this.#live, this.#liveElements] = this.#index(live, this.#liveItems);
    [, this.#appliedElements] = this.#index(applied, this.#appliedItems);
  }

  /** The items that have a path element, and those elements. */
  #index(items: JsonValue[], byElement: Map<string, JsonValue>): [JsonValue[], string[]] {
    const [kept, elements]: [JsonValue[], string[]] = [[], []];
    for (const item of items) {
      const element = itemElement(this.#list, item);
      if (element === undefined) continue;
      byElement.set(element, byElement.has(element) ? null : item);
      kept.push(item);
      elements.push(element);
    }
    return [kept, elements];
  }

  run(): JsonValue[] {
    const [mine, theirs] = [this.#liveElements, this.#appliedElements];
    const shared = theirs.filter((element) => this.#liveItems.has(element));
    const done = new Set<string>();
    let [l, r, next] = [0, 0, 0];
    while (l < mine.length || r < theirs.length) {
      const element = mine[l];
      if (element !== undefined && element === theirs[r]) {
        this.#take(element, done);
        [l, r, next] = [l + 1, r + 1, next + 1];
      } else if (
        element !== undefined &&
        r < theirs.length &&
        this.#isSharedElsewhere(element, shared[next])
      ) {
        l++;
      } else if (element !== undefined && !this.#appliedItems.has(element)) {
        this.#out.push(this.#live[l++]!);
      } else {
        if (element !== undefined && done.has(element)) l++;
        if (r < theirs.length) {
          const applied = theirs[r++]!;
          this.#take(applied, done);
          if (applied === shared[next]) next++;
        }
      }
    }
    return this.#out;
  }

  /** An item of both lists whose turn, in the applied order, has not come. */
  #isSharedElsewhere(element: string, nextShared: string | undefined): boolean {
    return this.#appliedItems.has(element) && nextShared !== undefined && nextShared !== element;
  }

  #take(element: string, done: Set<string>): void {
    done.add(element);
    const live = this.#liveItems.get(element);
    this.#out.push(this.#merge(live ?? undefined, this.#appliedItems.get(element), this.#list.element));
  }
}
