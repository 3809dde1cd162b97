// The order of path elements: fields by name, then items by keys, then by value, then by index. Numbers order
// as numbers.
import { compareUtf8, utf8Rank } from '@instar/go';
import type { JsonValue } from '@instar/machinery';
import { type FieldSet, LEAF } from './field-set.ts';

const RANK: Record<string, number> = { '.': 0, f: 1, k: 2, v: 3, i: 4 };

export function compareElements(a: string, b: string): number {
  if (a.charCodeAt(0) !== b.charCodeAt(0)) return RANK[a[0]!]! - RANK[b[0]!]!;
  if (a === b) return 0;
  if (a.charCodeAt(0) === LETTER_F) return compareUtf8(a, b);
  if (a[0] === 'i') return Number(a.slice(2)) - Number(b.slice(2));
  return compareInStrings(a, b) ?? compareContent(JSON.parse(a.slice(2)), JSON.parse(b.slice(2)));
}

const LETTER_F = 0x66;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * The order of two JSON texts that differ first inside a string: then they need not be parsed. Undefined if
 * they do not, or if there are escapes.
 */
function compareInStrings(a: string, b: string): number | undefined {
  let inString = false;
  for (let i = 2; ; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x === BACKSLASH || y === BACKSLASH) return undefined;
    if (x === y) {
      if (x === QUOTE) inString = !inString;
    } else if (!inString) return undefined;
    else return x === QUOTE ? -1 : y === QUOTE ? 1 : utf8Rank(x) - utf8Rank(y);
  }
}

function compareContent(a: JsonValue, b: JsonValue): number {
  const difference = typeRank(a) - typeRank(b);
  if (difference !== 0 || a === null || b === null) return difference;
  if (typeof a === 'string') return compareUtf8(a, b as string);
  if (typeof a !== 'object') return a < b ? -1 : a > b ? 1 : 0;
  return compareEntries(Object.entries(a), Object.entries(b));
}

/** Lists item by item, objects member by member; a prefix comes first. */
function compareEntries(a: [string, JsonValue][], b: [string, JsonValue][]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = compareUtf8(a[i]![0], b[i]![0]) || compareContent(a[i]![1], b[i]![1]);
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

/** The same set with the elements of every level sorted. Sorted parts are shared. */
export function inOrder(set: FieldSet): FieldSet {
  if (set === LEAF) return set;
  let changed: Record<string, FieldSet> | undefined;
  let sorted = true;
  let last: string | undefined;
  for (const element in set) {
    if (last !== undefined && sorted) sorted = compareElements(last, element) < 0;
    last = element;
    const child = set[element]!;
    const childInOrder = inOrder(child);
    if (childInOrder !== child) (changed ??= { ...set })[element] = childInOrder;
  }
  return sorted ? (changed ?? set) : sortLevel(changed ?? set);
}

function sortLevel(set: FieldSet): FieldSet {
  const sorted: Record<string, FieldSet> = {};
  for (const element of Object.keys(set).sort(compareElements)) sorted[element] = set[element]!;
  return sorted;
}

/** Sorts one level of a set whose parts are sorted. */
export function levelInOrder(set: FieldSet): FieldSet {
  let last: string | undefined;
  for (const element in set) {
    if (last !== undefined && compareElements(last, element) >= 0) return sortLevel(set);
    last = element;
  }
  return set;
}
