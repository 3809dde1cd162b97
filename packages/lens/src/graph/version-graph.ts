// Routes between versions over the lenses that join them: the shortest, so that a direct lens is preferred.
// Independent of objects.
import type { Direction } from '../op/op.ts';

export interface Edge {
  readonly from: string;
  readonly to: string;
}

/** One lens of a route, and the direction in which it is read. */
export interface Leg<E extends Edge> {
  readonly edge: E;
  readonly direction: Direction;
  /** The version that it starts at, and the one that it leads to. */
  readonly start: string;
  readonly end: string;
}

/** The cost of a leg. Between equal routes the order of the lenses decides. */
export type LegCost<E extends Edge> = (leg: Leg<E>) => number;

export class VersionGraph<E extends Edge> {
  readonly versions: readonly string[];
  /** Whether there is more than one route between some versions. */
  readonly hasCycles: boolean;
  readonly #legs = new Map<string, Leg<E>[]>();
  readonly #routes = new Map<string, Map<string, readonly Leg<E>[] | undefined>>();

  constructor(edges: readonly E[]) {
    for (const edge of edges) {
      this.#add({ edge, direction: 'forward', start: edge.from, end: edge.to });
      this.#add({ edge, direction: 'backward', start: edge.to, end: edge.from });
    }
    this.versions = [...this.#legs.keys()];
    this.hasCycles = edges.length >= this.versions.length;
    for (const from of this.versions) this.#routes.set(from, new Map());
  }

  /** Computed on first use: of a hundred versions few pairs are ever needed. */
  route(from: string, to: string): readonly Leg<E>[] | undefined {
    const routes = this.#routes.get(from);
    if (routes === undefined || !this.#legs.has(to)) return undefined;
    if (!routes.has(to))
      routes.set(
        to,
        this.cheapest(from, to, () => 1),
      );
    return routes.get(to);
  }

  cheapest(from: string, to: string, cost: LegCost<E>): readonly Leg<E>[] | undefined {
    if (!this.#legs.has(from) || !this.#legs.has(to)) return undefined;
    const best = new Map<string, { cost: number; legs: readonly Leg<E>[] }>([[from, { cost: 0, legs: [] }]]);
    const settled = new Set<string>();
    for (
      let here = nearest(best, settled);
      here !== undefined && here !== to;
      here = nearest(best, settled)
    ) {
      settled.add(here);
      const { cost: soFar, legs } = best.get(here)!;
      for (const leg of this.#legs.get(here)!) {
        const total = soFar + cost(leg);
        if (total < (best.get(leg.end)?.cost ?? Number.POSITIVE_INFINITY))
          best.set(leg.end, { cost: total, legs: [...legs, leg] });
      }
    }
    return best.get(to)?.legs;
  }

  legsInto(version: string): readonly Leg<E>[] {
    return [...this.#legs.values()].flat().filter(({ end }) => end === version);
  }

  #add(leg: Leg<E>): void {
    const legs = this.#legs.get(leg.start);
    if (legs === undefined) this.#legs.set(leg.start, [leg]);
    else legs.push(leg);
  }
}

function nearest(
  best: ReadonlyMap<string, { cost: number }>,
  settled: ReadonlySet<string>,
): string | undefined {
  let found: string | undefined;
  for (const [version, { cost }] of best) {
    if (!settled.has(version) && (found === undefined || cost < best.get(found)!.cost)) found = version;
  }
  return found;
}
