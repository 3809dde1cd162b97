// The order of path elements: fields by name, then items by their keys, then by their value, then by index. Numbers order as numbers.
import type { JsonValue } from '@instar/machinery';
import { type FieldSet, SELF } from './field-set.ts';

const RANK: Record<string, number> = { '.': 0, f: 1, k: 2, v: 3, i: 4 };

/** Strings in the order of their UTF-8 bytes, which differs from JavaScript's own where surrogates come in. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x !== y) return byteRank(x) - byteRank(y);
  }
  return a.length - b.length;
}

const byteRank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

export function compareElements(a: string, b: string): number {
  if (a.charCodeAt(0) !== b.charCodeAt(0)) return RANK[a[0]!]! - RANK[b[0]!]!;
  if (a === b) return 0;
  if (a.charCodeAt(0) === 0x66) return compareText(a, b);
  if (a[0] === 'i') return Number(a.slice(2)) - Number(b.slice(2));
  return compareContent(JSON.parse(a.slice(2)), JSON.parse(b.slice(2)));
}

function compareContent(a: JsonValue, b: JsonValue): number {
  const difference = typeRank(a) - typeRank(b);
  if (difference !== 0 || a === null || b === null) return difference;
  if (typeof a === 'string') return compareText(a, b as string);
  if (typeof a !== 'object') return a < b ? -1 : a > b ? 1 : 0;
  return compareEntries(Object.entries(a), Object.entries(b));
}

/** Lists item by item, objects member by member; the shorter comes first if it is the beginning of the longer. */
function compareEntries(a: [string, JsonValue][], b: [string, JsonValue][]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = compareText(a[i]![0], b[i]![0]) || compareContent(a[i]![1], b[i]![1]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function typeRank(value: JsonValue): number {
  if (value === null) return 6;
  if (Array.isArray(value)) return 4;
  switch (typeof value) {
    case 'number':
    case 'bigint':
      return 1;
    case 'string':
      return 2;
    case 'boolean':
      return 3;
    default:
      return 5;
  }
}

/** The same set with the elements of every level in order. Parts that are in order already are shared. */
export function inOrder(set: FieldSet): FieldSet {
  const elements = Object.keys(set);
  let same = isSorted(elements);
  if (!same) elements.sort(compareElements);
  const sorted: Record<string, FieldSet> = {};
  for (const element of elements) {
    const child = set[element]!;
    const childInOrder = element === SELF ? child : inOrder(child);
    if (childInOrder !== child) same = false;
    sorted[element] = childInOrder;
  }
  return same ? set : sorted;
}

export function isSorted(elements: readonly string[]): boolean {
  for (let i = 1; i < elements.length; i++) if (compareElements(elements[i - 1]!, elements[i]!) >= 0) return false;
  return true;
}
