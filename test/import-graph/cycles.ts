// Cycles in a graph of imports, each as the shortest path back to its start.
import { dirname } from 'node:path';

export interface Edge {
  readonly from: string;
  readonly to: string;
}

/**
 * One cycle of every group of nodes that reach each other: the shortest through an edge that `counts`.
 * Groups without such an edge are left out.
 */
export function cyclesIn(edges: readonly Edge[], counts: (edge: Edge) => boolean = () => true): string[][] {
  const targets = targetsOf(edges);
  const groups = stronglyConnected(targets);
  const shortest = new Map<number, string[]>();
  for (const edge of edges) {
    const group = groups.get(edge.from)!;
    if (group !== groups.get(edge.to) || !counts(edge)) continue;
    const path = [edge.from, ...pathBetween(edge.to, edge.from, targets)];
    if (path.length < (shortest.get(group)?.length ?? Number.POSITIVE_INFINITY)) shortest.set(group, path);
  }
  return [...shortest.values()];
}

export const spansFolders = ({ from, to }: Edge): boolean => dirname(from) !== dirname(to);

/**
 * An import between two files as one between sibling folders: those that contain the files below their
 * common folder. Undefined if one of the files is in that folder itself.
 */
export function betweenSiblings({ from, to }: Edge): Edge | undefined {
  const [source, target] = [from.split('/'), to.split('/')];
  let depth = 0;
  while (source[depth] === target[depth] && depth < source.length) depth++;
  if (depth >= source.length - 1 || depth >= target.length - 1) return undefined;
  return { from: source.slice(0, depth + 1).join('/'), to: target.slice(0, depth + 1).join('/') };
}

type Targets = ReadonlyMap<string, ReadonlySet<string>>;

function targetsOf(edges: readonly Edge[]): Targets {
  const targets = new Map<string, Set<string>>();
  for (const { from, to } of edges) {
    if (!targets.has(to)) targets.set(to, new Set());
    const known = targets.get(from);
    if (known === undefined) targets.set(from, new Set([to]));
    else known.add(to);
  }
  return targets;
}

/** The number of its group for every node, by Tarjan's algorithm. */
function stronglyConnected(targets: Targets): Map<string, number> {
  const groups = new Map<string, number>();
  const order = new Map<string, number>();
  const open: string[] = [];
  const visit = (node: string): number => {
    const own = order.size;
    let lowest = own;
    order.set(node, own);
    open.push(node);
    for (const next of targets.get(node)!) {
      if (!order.has(next)) lowest = Math.min(lowest, visit(next));
      else if (!groups.has(next)) lowest = Math.min(lowest, order.get(next)!);
    }
    if (lowest === own) for (const member of open.splice(open.lastIndexOf(node))) groups.set(member, own);
    return lowest;
  };
  for (const node of targets.keys()) if (!order.has(node)) visit(node);
  return groups;
}

/** Breadth first; a path exists, as both are in one group. */
function pathBetween(start: string, end: string, targets: Targets): string[] {
  const cameFrom = new Map<string, string | undefined>([[start, undefined]]);
  for (const node of cameFrom.keys()) {
    if (node === end) break;
    for (const next of targets.get(node)!) if (!cameFrom.has(next)) cameFrom.set(next, node);
  }
  const path: string[] = [];
  for (let node: string | undefined = end; node !== undefined; node = cameFrom.get(node)) path.unshift(node);
  return path;
}
