// A set under construction: the only place where the nodes of a set are changed. It is sorted afterwards
// (inOrder).
import { EMPTY_SET, type FieldSet, isEmptySet, type MutableFieldSet, SELF } from './field-set.ts';
import { union } from './operations.ts';

export function newBuilder(): FieldSet {
  return {};
}

/** Puts `node` (a field with what is below it) at `element` below `path`. */
export function graft(root: FieldSet, path: readonly string[], element: string, node: FieldSet): void {
  let level = root as MutableFieldSet;
  for (const step of path) level = descend(level, step);
  const present = level[element];
  level[element] = present === undefined ? node : joined(present as FieldSet, node);
}

function descend(level: MutableFieldSet, step: string): MutableFieldSet {
  const next = level[step];
  if (next === undefined) return (level[step] = {});
  // A field that was in the set alone must stay in it when others come below it.
  return isEmptySet(next as FieldSet) ? (level[step] = { [SELF]: EMPTY_SET }) : (next as MutableFieldSet);
}

function joined(a: FieldSet, b: FieldSet): FieldSet {
  const both = union({ 'f:': a }, { 'f:': b })['f:']!;
  return isEmptySet(both) ? EMPTY_SET : { ...both };
}
