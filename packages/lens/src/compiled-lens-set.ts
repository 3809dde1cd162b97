// The lenses of one document, compiled: closures for every operation, and the route between two versions
// cached.

import { utf8Length } from '@instar/go';
import {
  compareKubeAwareVersions,
  encodeJson,
  isJsonObject,
  type JsonObject,
  type KubeObject,
  parseApiVersion,
} from '@instar/machinery';
import { BytesConversion } from './bytes/bytes-conversion.ts';
import { type Leg, VersionGraph } from './graph/version-graph.ts';
import { LensError } from './lens-error.ts';
import type { ConvertOptions, LensSet, LensStepReading, WithStash } from './lens-set.ts';
import type { OpRun } from './op/op.ts';
import { type OpList, runOps } from './op/op-list.ts';
import { HERE, Owned, ownObject } from './site/site.ts';
import { DEFAULT_MAX_STASH_BYTES, putStash, type Stash, takeStash } from './stash/annotation.ts';

export interface CompiledStep {
  readonly from: string;
  readonly to: string;
  readonly ops: OpList;
}

/** The key of a step in the stash. */
const stepKey = ({ from, to }: CompiledStep): string => `${from}/${to}`;

/** A lens, compiled: converts between all versions of its definition. */
export class CompiledLensSet implements LensSet {
  readonly name: string;
  readonly crd: string;
  readonly group: string;
  readonly versions: readonly string[];
  readonly steps: readonly LensStepReading[];
  /** For the analysis, which reads the operations themselves. */
  readonly compiled: readonly CompiledStep[];
  readonly #graph: VersionGraph<CompiledStep>;
  /** Versions by their names with and without the group. */
  readonly #named: ReadonlyMap<string, string>;
  /** By the two versions; made on first use. */
  readonly #ofBytes = new Map<string, BytesConversion>();

  constructor(name: string, crd: string, steps: readonly CompiledStep[]) {
    this.name = name;
    this.crd = crd;
    this.group = crd.slice(crd.indexOf('.') + 1);
    this.compiled = steps;
    this.steps = steps.map(({ from, to, ops }) => ({ from, to, ops: ops.map((op) => op.text) }));
    this.#graph = new VersionGraph(steps);
    this.versions = [...this.#graph.versions].sort((a, b) => compareKubeAwareVersions(b, a));
    this.#named = new Map(
      this.versions.flatMap((version) => [
        [version, version] as const,
        [`${this.group}/${version}`, version] as const,
      ]),
    );
  }

  canConvert(from: string, to: string): boolean {
    return this.#graph.route(from, to) !== undefined;
  }

  route(from: string, to: string): readonly string[] | undefined {
    const legs = this.#graph.route(from, to);
    return legs === undefined ? undefined : [from, ...legs.map(({ end }) => end)];
  }

  convert(object: KubeObject, to: string, options: ConvertOptions = {}): KubeObject {
    const target = this.#versionOf(to);
    if (this.#versionOf(object.apiVersion) === target) return object;
    const taken = takeStash(object);
    const converted = this.convertWithStash(taken.object, taken.stash, target);
    return putStash(
      converted.object,
      converted.stash,
      options.maxStashBytes ?? DEFAULT_MAX_STASH_BYTES,
      (stash) => this.#largestIn(stash),
    );
  }

  convertWithStash(object: KubeObject, stash: Stash | undefined, to: string): WithStash {
    const [from, target] = [this.#versionOf(object.apiVersion), this.#versionOf(to)];
    if (from === target) return { object, stash };
    const legs = this.#legs(from, target, stash);
    if (legs === undefined) throw this.#noWay(from, target);
    try {
      return this.#travel(object, stash, legs, target);
    } catch (error) {
      // A damaged stash must not make the object unreadable.
      if (error instanceof LensError && error.kind === 'stash-malformed')
        return this.#travel(object, undefined, legs, target);
      throw error;
    }
  }

  ofBytes(from: string, to: string): BytesConversion | undefined {
    const legs = this.#graph.route(from, to) ?? [];
    if (legs.length === 0) return undefined;
    const ends = `${from}/${to}`;
    const known =
      this.#ofBytes.get(ends) ?? new BytesConversion(legs, `${this.group}/${from}`, `${this.group}/${to}`);
    this.#ofBytes.set(ends, known);
    return known;
  }

  #travel(
    object: KubeObject,
    stash: Stash | undefined,
    legs: readonly Leg<CompiledStep>[],
    target: string,
  ): WithStash {
    const site: JsonObject = { [HERE]: object as unknown as JsonObject };
    const run: OpRun = { owned: new Owned(), input: undefined, output: undefined };
    let left = stash;
    for (const leg of legs) left = travelLeg(leg, site, run, left);
    ownObject(site, HERE, run.owned)['apiVersion'] = `${this.group}/${target}`;
    return { object: site[HERE] as unknown as KubeObject, stash: withoutOwn(left, target) };
  }

  /** If there are several routes, an object goes back the way it came, because its stash is there. */
  #legs(from: string, to: string, stash: Stash | undefined): readonly Leg<CompiledStep>[] | undefined {
    if (stash === undefined || !this.#graph.hasCycles) return this.#graph.route(from, to);
    const ways = this.#graph.legsInto(to).flatMap((last) => {
      const before =
        stashedFor(stash, last) === undefined ? undefined : this.#returnRoute(from, last.start, to, stash);
      return before === undefined ? [] : [[...before, last]];
    });
    return ways.sort((a, b) => a.length - b.length)[0] ?? this.#graph.route(from, to);
  }

  /** To where the last leg begins, without passing its end. */
  #returnRoute(
    from: string,
    to: string,
    without: string,
    stash: Stash,
  ): readonly Leg<CompiledStep>[] | undefined {
    const cost = (leg: Leg<CompiledStep>): number =>
      leg.end === without ? Number.POSITIVE_INFINITY : stashedFor(stash, leg) === undefined ? 1 : 0.5;
    return this.#graph.cheapest(from, to, cost);
  }

  #versionOf(apiVersion: string): string {
    const known = this.#named.get(apiVersion);
    if (known !== undefined) return known;
    if (!apiVersion.includes('/')) return apiVersion;
    const parsed = parseApiVersion(apiVersion);
    if (parsed?.group === this.group) return parsed.version;
    throw new LensError(
      'wrong-group',
      `${apiVersion} is not of the group ${this.group}, which this lens is for`,
    );
  }

  #noWay(from: string, to: string): LensError {
    const unknown = [from, to].find((version) => !this.versions.includes(version)) ?? to;
    return new LensError(
      'unknown-version',
      `the lens ${this.name} has no version ${unknown}; it has ${this.versions.join(', ')}`,
    );
  }

  #largestIn(stash: Stash): string {
    const sizes = this.compiled.flatMap((step) => {
      const node = nodeOf(stash[stepKey(step)]);
      return step.ops.map((op) => ({
        text: `${op.text} (${step.from} ↔ ${step.to})`,
        bytes: utf8Length(encodeJson(node?.[op.key] ?? '')),
      }));
    });
    return sizes.reduce((a, b) => (b.bytes > a.bytes ? b : a)).text;
  }
}

function travelLeg(
  leg: Leg<CompiledStep>,
  site: JsonObject,
  run: OpRun,
  stash: Stash | undefined,
): Stash | undefined {
  run.input = stash === undefined ? undefined : stashedFor(stash, leg);
  run.output = undefined;
  runOps(leg.edge.ops, leg.direction, site, run);
  const key = stepKey(leg.edge);
  if (run.output !== undefined) return { ...stash, [key]: [leg.start, run.output] };
  if (stash === undefined || !Object.hasOwn(stash, key)) return stash;
  const { [key]: _, ...others } = stash;
  return others;
}

/**
 * What was stashed of the version that the leg leads to. What was stashed of the one that it starts from is
 * stale.
 */
function stashedFor(stash: Stash, { edge, end }: Leg<CompiledStep>): JsonObject | undefined {
  const key = stepKey(edge);
  const entry = Object.hasOwn(stash, key) ? stash[key] : undefined;
  return Array.isArray(entry) && entry[0] === end ? nodeOf(entry) : undefined;
}

function nodeOf(entry: unknown): JsonObject | undefined {
  return Array.isArray(entry) && isJsonObject(entry[1]) ? entry[1] : undefined;
}

/** An object needs no stash of the version that it has now; and an empty stash is none. */
function withoutOwn(stash: Stash | undefined, version: string): Stash | undefined {
  if (stash === undefined) return undefined;
  const kept = Object.entries(stash).filter(([, entry]) => Array.isArray(entry) && entry[0] !== version);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
