// The ways between the versions of one kind, found once: a direct step where there is one, else the fewest. A
// pair without a way is an error here, when the webhook is made, and not when an object comes.
import { asJson, asKubeObject, type JsonObject } from '@instar/machinery';
import type { BytesConverter, ConversionDefinition, ConvertFunction } from './definition.ts';

export interface Step {
  readonly from: string;
  readonly to: string;
  readonly run: ConvertFunction;
  /** For objects that need not be parsed. */
  readonly ofBytes?: () => BytesConverter | undefined;
}

/** By "from to". */
export type Ways = ReadonlyMap<string, readonly Step[]>;

export const wayKey = (from: string, to: string): string => `${from} ${to}`;

export const definitionName = ({ kind, group, lens }: ConversionDefinition): string =>
  kind === undefined ? (lens?.crd ?? 'a conversion') : `${kind}.${group ?? lens?.group ?? ''}`;

/** Throws if the definition does not hold together. */
export function findWays(definition: ConversionDefinition): {
  readonly versions: readonly string[];
  readonly ways: Ways;
} {
  const steps = stepsOf(definition);
  const versions = versionsOf(definition, steps);
  const ways = new Map<string, readonly Step[]>();
  const missing: string[] = [];
  for (const from of versions) {
    const found = waysFrom(from, steps);
    for (const to of versions) {
      const way = found.get(to);
      if (way === undefined) missing.push(`${from} to ${to}`);
      else if (from !== to) ways.set(wayKey(from, to), way);
    }
  }
  if (missing.length > 0)
    throw new Error(`${definitionName(definition)}: there is no conversion from ${missing.join(', from ')}`);
  return { versions, ways };
}

function versionsOf(definition: ConversionDefinition, steps: readonly Step[]): readonly string[] {
  const named = new Set(steps.flatMap(({ from, to }) => [from, to]));
  const versions = definition.versions ?? [...named];
  const where = definitionName(definition);
  if (versions.length < 2) throw new Error(`${where}: a conversion needs at least two versions`);
  for (const version of named) {
    if (!versions.includes(version))
      throw new Error(
        `${where}: a conversion names ${version}, which is not among the versions ${versions.join(', ')}`,
      );
  }
  return versions;
}

/** Functions come first: of two steps with the same ends the first is taken. */
function stepsOf(definition: ConversionDefinition): Step[] {
  const functions = Object.entries(definition.convert ?? {}).map(([ends, run]) =>
    stepOf(definition, ends, run as ConvertFunction),
  );
  const { lens } = definition;
  if (lens === undefined) return functions;
  const run: ConvertFunction = (object, { to }) => asJson(lens.convert(asKubeObject(object), to));
  const { versions } = lens;
  const ofLens = versions.flatMap((from) =>
    versions
      .filter((to) => to !== from && lens.canConvert(from, to))
      .map((to) => ({ from, to, run, ofBytes: () => lens.ofBytes?.(from, to) })),
  );
  return [...functions, ...ofLens];
}

function stepOf(
  definition: ConversionDefinition,
  ends: string,
  run: ConvertFunction<JsonObject, JsonObject>,
): Step {
  const match = /^\s*([a-z0-9]+)\s*(?:→|->)\s*([a-z0-9]+)\s*$/.exec(ends);
  if (match === null || match[1] === match[2])
    throw new Error(`${definitionName(definition)}: ${JSON.stringify(ends)} is not of the form 'v1→v2'`);
  if (typeof run !== 'function')
    throw new Error(`${definitionName(definition)}: what converts ${ends} is no function`);
  return { from: match[1]!, to: match[2]!, run };
}

/** Breadth first, hence the fewest steps; among ways of one length the one whose steps were named first. */
function waysFrom(start: string, steps: readonly Step[]): ReadonlyMap<string, readonly Step[]> {
  const ways = new Map<string, readonly Step[]>([[start, []]]);
  for (const [at, way] of ways) {
    for (const step of steps) if (step.from === at && !ways.has(step.to)) ways.set(step.to, [...way, step]);
  }
  return ways;
}
