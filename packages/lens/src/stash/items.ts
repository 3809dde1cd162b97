// What operations on the items of a list stash: one node per item, matched again when the list has changed.
import { encodeJson, isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import { malformed, type StashNode } from './entry.ts';
import { memberWitnesses } from './witness.ts';

/** What was stashed for one item of a list, by its index there. */
export interface StashedItem {
  readonly index: number;
  readonly node: StashNode;
}

/**
 * `list` is the converted one: what is seen on the way back. A key that two items share identifies them no
 * better than their index.
 */
export function encodeItems(
  kept: readonly StashedItem[],
  list: readonly JsonValue[],
  keys: readonly string[] | undefined,
): JsonObject {
  const names = keys === undefined ? [] : list.map((item) => keyOf(item, keys));
  const shared = repeatedIn(names);
  const byKey: JsonObject = {};
  const byPlace: JsonValue[] = [];
  for (const { index, node } of kept) {
    const name = names[index];
    if (name !== undefined && !shared.has(name)) byKey[name] = node;
    else byPlace.push([index, memberWitnesses(list[index]!), node]);
  }
  const isKeyed = Object.keys(byKey).length > 0;
  // The keys are named, so that a reader need not know the schema.
  return { ...(isKeyed && { k: byKey, n: [...keys!] }), ...(byPlace.length > 0 && { i: byPlace }) };
}

function repeatedIn(names: readonly (string | undefined)[]): ReadonlySet<string | undefined> {
  const seen = new Set<string | undefined>();
  return new Set(names.filter((name) => seen.size === seen.add(name).size));
}

/** Prefixed, so that no key can be one of JavaScript's own. */
function keyOf(item: JsonValue, keys: readonly string[]): string | undefined {
  if (!isJsonObject(item)) return undefined;
  const values: JsonValue[] = [];
  for (const key of keys) {
    if (!Object.hasOwn(item, key)) return undefined;
    values.push(item[key]!);
  }
  return `=${values.length === 1 && typeof values[0] === 'string' ? values[0] : encodeJson(values)}`;
}

interface PlacedNode {
  readonly index: number;
  readonly witnesses: readonly string[];
  readonly node: StashNode;
}

/** By the index of the item that it belongs to now. */
export function stashedItems(entry: JsonValue, list: readonly JsonValue[]): Map<number, StashNode> {
  if (!isJsonObject(entry)) throw malformed();
  const found = new Map<number, StashNode>();
  const { k: nodes, n: keys } = entry;
  if (nodes !== undefined && Array.isArray(keys)) findByKey(nodes, list, keys.map(String), found);
  if (entry['i'] !== undefined) findByPlace(placedNodes(entry['i']), list, found);
  return found;
}

function findByKey(
  nodes: JsonValue,
  list: readonly JsonValue[],
  keys: readonly string[],
  found: Map<number, StashNode>,
): void {
  if (!isJsonObject(nodes)) throw malformed();
  const seen = new Set<string>();
  list.forEach((item, index) => {
    const key = keyOf(item, keys);
    if (key === undefined || seen.has(key) || !Object.hasOwn(nodes, key)) return;
    seen.add(key);
    found.set(index, nodeOf(nodes[key]));
  });
}

function nodeOf(value: JsonValue | undefined): StashNode {
  if (!isJsonObject(value)) throw malformed();
  return value;
}

function placedNodes(value: JsonValue): PlacedNode[] {
  if (!Array.isArray(value)) throw malformed();
  return value.map((placed) => {
    if (!Array.isArray(placed)) throw malformed();
    const [index, witnesses, node] = placed;
    if (typeof index !== 'number' || !Array.isArray(witnesses)) throw malformed();
    return { index, witnesses: witnesses as string[], node: nodeOf(node) };
  });
}

/**
 * Unchanged and in position; unchanged and elsewhere; changed a little and in position, while all others are
 * too. A replaced item gets nothing.
 */
function findByPlace(
  placed: readonly PlacedNode[],
  list: readonly JsonValue[],
  found: Map<number, StashNode>,
): void {
  const witnesses = list.map(memberWitnesses);
  const isFree = (index: number): boolean => index < list.length && !found.has(index);
  const isSame = (node: PlacedNode, index: number): boolean =>
    isFree(index) && similarity(node.witnesses, witnesses[index]!) === 1;
  let left = placed.filter((node) => !isSame(node, node.index) || !found.set(node.index, node.node));
  const alike = left.length === 0 ? new Map<string, number[]>() : placesByWitnesses(witnesses);
  let hasMoved = false;
  left = left.filter((node) => {
    const places = alike.get(node.witnesses.join()) ?? [];
    let index = places.pop();
    while (index !== undefined && !isFree(index)) index = places.pop();
    if (index !== undefined) found.set(index, node.node);
    hasMoved ||= index !== undefined;
    return index === undefined;
  });
  for (const node of hasMoved ? [] : left) {
    if (isFree(node.index) && similarity(node.witnesses, witnesses[node.index]!) >= EDITED)
      found.set(node.index, node.node);
  }
}

/** The first index last, to be taken from the end: a list may be long, and is walked once. */
function placesByWitnesses(witnesses: readonly (readonly string[])[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (let index = witnesses.length - 1; index >= 0; index--) {
    const key = witnesses[index]!.join();
    const known = places.get(key);
    if (known === undefined) places.set(key, [index]);
    else known.push(index);
  }
  return places;
}

/** An item of which at least half is unchanged was edited; otherwise it was replaced. */
const EDITED = 0.5;

function similarity(a: readonly string[], b: readonly string[]): number {
  const larger = Math.max(a.length, b.length);
  if (larger === 0) return 1;
  const others = new Set(b);
  return a.filter((witness) => others.has(witness)).length / larger;
}
