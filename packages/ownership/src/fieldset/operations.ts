// Union, intersection and differences of field sets. Each walks no further than the smaller set and shares
// what it does not change.
import {
  childOf,
  EMPTY_SET,
  type FieldSet,
  hasChildren,
  isEmptySet,
  isMember,
  LEAF,
  nodeOf,
  SELF,
} from './field-set.ts';
import { levelInOrder } from './order.ts';

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(a)) return nodeOf(false, b) ?? EMPTY_SET;
  return unionNodes(a, b, false) ?? EMPTY_SET;
}

function unionNodes(a: FieldSet, b: FieldSet, member: boolean): FieldSet | undefined {
  let merged: Record<string, FieldSet> | undefined;
  let appended = false;
  for (const element in b) {
    if (element === SELF) continue;
    const mine = childOf(a, element);
    const theirs = b[element]!;
    const joined = mine === undefined ? theirs : unionOf(mine, theirs);
    if (joined === mine) continue;
    merged ??= { ...a };
    merged[element] = joined;
    appended ||= mine === undefined;
  }
  const children = merged === undefined ? a : appended ? levelInOrder(merged) : merged;
  return nodeOf(member, children);
}

function unionOf(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || !hasChildren(b)) return isMember(b) ? nodeOf(true, a)! : a;
  if (!hasChildren(a)) return nodeOf(isMember(a) || isMember(b), b)!;
  return unionNodes(a, b, isMember(a) || isMember(b))!;
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  return intersectNodes(a, b) ?? EMPTY_SET;
}

function intersectNodes(a: FieldSet, b: FieldSet): FieldSet | undefined {
  const common: Record<string, FieldSet> = {};
  let found = false;
  for (const element in a) {
    if (element === SELF) continue;
    const theirs = childOf(b, element);
    if (theirs === undefined) continue;
    const mine = a[element]!;
    const node = nodeOf(isMember(mine) && isMember(theirs), intersectNodes(mine, theirs));
    if (node === undefined) continue;
    common[element] = node;
    found = true;
  }
  return found ? common : undefined;
}

/** What is in `a` and not in `b`. A field in `b` removes that field, not those below it. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, (mine, theirs) =>
    nodeOf(isMember(mine) && !isMember(theirs), difference(mine, theirs)),
  );
}

/** What is in `a` and neither in `b` nor below a field of `b`. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, (mine, theirs) =>
    isMember(theirs) ? undefined : nodeOf(isMember(mine), recursiveDifference(mine, theirs)),
  );
}

function subtract(
  a: FieldSet,
  b: FieldSet,
  rest: (mine: FieldSet, theirs: FieldSet) => FieldSet | undefined,
): FieldSet {
  let changes: Map<string, FieldSet | undefined> | undefined;
  for (const element in b) {
    if (element === SELF) continue;
    const mine = childOf(a, element);
    if (mine === undefined) continue;
    const node = rest(mine, b[element]!);
    if (node !== mine) (changes ??= new Map()).set(element, node);
  }
  return changes === undefined ? a : changed(a, changes);
}

/** `set` with some of its elements replaced, and without those whose new node is undefined. */
function changed(set: FieldSet, changes: ReadonlyMap<string, FieldSet | undefined>): FieldSet {
  const left: Record<string, FieldSet> = {};
  for (const element in set) {
    const node = changes.has(element) ? changes.get(element) : set[element];
    if (node !== undefined) left[element] = node;
  }
  return left;
}

/** The fields that have no others of the set below them. */
export function leaves(set: FieldSet): FieldSet {
  const found: Record<string, FieldSet> = {};
  for (const element in set) {
    if (element === SELF) continue;
    const node = set[element]!;
    found[element] = hasChildren(node) ? leaves(node) : LEAF;
  }
  return found;
}

/** Whether every field of `a` is in `b`. */
export function isSubset(a: FieldSet, b: FieldSet): boolean {
  for (const element in a) {
    if (element === SELF) continue;
    const theirs = childOf(b, element);
    if (theirs === undefined) return false;
    const mine = a[element]!;
    if (mine !== theirs && ((isMember(mine) && !isMember(theirs)) || !isSubset(mine, theirs))) return false;
  }
  return true;
}
