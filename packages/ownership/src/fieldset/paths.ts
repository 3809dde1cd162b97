// Sets and the paths in them. A path is a list of path elements.
import { graft, newBuilder } from './builder.ts';
import { type FieldSet, hasChildren, isMember, LEAF, SELF } from './field-set.ts';
import { inOrder } from './order.ts';

/** Every path of the set: first the fields of a level, then those below them. */
export function pathsOf(set: FieldSet): string[][] {
  const paths: string[][] = [];
  collect(set, [], paths);
  return paths;
}

function collect(set: FieldSet, prefix: readonly string[], paths: string[][]): void {
  for (const element in set) if (element !== SELF && isMember(set[element])) paths.push([...prefix, element]);
  for (const element in set)
    if (element !== SELF && hasChildren(set[element])) collect(set[element], [...prefix, element], paths);
}

export function setOfPaths(...paths: readonly (readonly string[])[]): FieldSet {
  const builder = newBuilder();
  for (const path of paths) if (path.length > 0) graft(builder, path.slice(0, -1), path.at(-1)!, LEAF);
  return inOrder(builder);
}

/** The set of some fields given by their names, as ['spec', 'replicas']. */
export function setOfFields(...paths: readonly (readonly string[])[]): FieldSet {
  return setOfPaths(...paths.map((path) => path.map((name) => `f:${name}`)));
}
