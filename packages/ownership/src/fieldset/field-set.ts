// A set of fields exactly as managedFields hold it (FieldsV1). A key is a path element: `f:` a field, `k:`
// the keys of a list item, `v:` the value of a set item, `i:` an index. `{}` below a key says that the field
// is in the set; a field that is in the set and has others below it says so with `.`. So a set needs no
// decoding or encoding. Sets are immutable and share their parts. Keys are canonical (see element.ts) and
// sorted (see order.ts).

export interface FieldSet {
  readonly [element: string]: FieldSet;
}

/** A set under construction; see builder.ts. */
export interface MutableFieldSet {
  [element: string]: MutableFieldSet | FieldSet;
}

export const EMPTY_SET: FieldSet = Object.freeze({});

/**
 * A field that is in the set with nothing below it. At the root the same value reads as the empty set.
 * @alias EMPTY_SET
 */
export const LEAF: FieldSet = EMPTY_SET;

export const SELF = '.';

export function isEmptySet(set: FieldSet): boolean {
  for (const element in set) if (element !== SELF) return false;
  return true;
}

/** Whether the field of this node is itself in the set. */
export function isMember(node: FieldSet | undefined): boolean {
  if (node === undefined) return false;
  return Object.hasOwn(node, SELF) || isEmptySet(node);
}

/** The node for a field with these fields below it; undefined if that leaves nothing. */
export function nodeOf(member: boolean, children: FieldSet | undefined): FieldSet | undefined {
  if (children === undefined || isEmptySet(children)) return member ? leafOf(children) : undefined;
  if (member === Object.hasOwn(children, SELF)) return children;
  return member ? { [SELF]: LEAF, ...children } : withoutSelf(children);
}

/**
 * Keeps the same node if it is a leaf already: an operation that changes nothing must return its argument.
 */
function leafOf(node: FieldSet | undefined): FieldSet {
  return node === undefined || Object.hasOwn(node, SELF) ? LEAF : node;
}

/**
 * Member by member: omitting one from a copy, or deleting it from one, takes several times as long, and slows
 * down all work with the result.
 */
function withoutSelf(node: FieldSet): FieldSet {
  const children: Record<string, FieldSet> = {};
  for (const element in node) if (element !== SELF) children[element] = node[element]!;
  return children;
}

export function childOf(set: FieldSet, element: string): FieldSet | undefined {
  return Object.hasOwn(set, element) ? set[element] : undefined;
}

/** Whether anything of the set is below this node. */
export function hasChildren(node: FieldSet | undefined): node is FieldSet {
  return node !== undefined && !isEmptySet(node);
}

export function hasPath(set: FieldSet, path: readonly string[]): boolean {
  let node: FieldSet | undefined = set;
  for (const element of path) {
    if (node === undefined) return false;
    node = childOf(node, element);
  }
  return path.length > 0 && isMember(node);
}

export function sameSet(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  let size = 0;
  for (const element in a) {
    size++;
    const other = childOf(b, element);
    if (other === undefined || !sameSet(a[element]!, other)) return false;
  }
  return Object.keys(b).length === size;
}
