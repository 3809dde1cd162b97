// The routes between the versions of one kind, found once: a direct step if there is one, otherwise the
// fewest steps. A pair without a route is an error when the webhook is created, not when an object arrives.
import { asJson, asKubeObject, type JsonObject } from '@instar/machinery';
import type { BytesConverter, ConversionDefinition, ConvertFunction } from './definition.ts';

export interface RouteStep {
  readonly from: string;
  readonly to: string;
  readonly run: ConvertFunction;
  /** For objects that need not be parsed. */
  readonly ofBytes?: () => BytesConverter | undefined;
}

/** Keyed by "from to". */
export type Routes = ReadonlyMap<string, readonly RouteStep[]>;

export const routeKey = (from: string, to: string): string => `${from} ${to}`;

export const definitionName = ({ kind, group, lens }: ConversionDefinition): string =>
  kind === undefined ? (lens?.crd ?? 'a conversion') : `${kind}.${group ?? lens?.group ?? ''}`;

/** Throws if the definition is inconsistent. */
export function findRoutes(definition: ConversionDefinition): {
  readonly versions: readonly string[];
  readonly routes: Routes;
} {
  const steps = stepsOf(definition);
  const versions = versionsOf(definition, steps);
  const routes = new Map<string, readonly RouteStep[]>();
  const missing: string[] = [];
  for (const from of versions) {
    const found = routesFrom(from, steps);
    for (const to of versions) {
      const route = found.get(to);
      if (route === undefined) missing.push(`${from} to ${to}`);
      else if (from !== to) routes.set(routeKey(from, to), route);
    }
  }
  if (missing.length > 0)
    throw new Error(`${definitionName(definition)}: there is no conversion from ${missing.join(', from ')}`);
  return { versions, routes };
}

function versionsOf(definition: ConversionDefinition, steps: readonly RouteStep[]): readonly string[] {
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

/** Functions come first: of two steps between the same versions the first is used. */
function stepsOf(definition: ConversionDefinition): RouteStep[] {
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
): RouteStep {
  const match = /^\s*([a-z0-9]+)\s*(?:→|->)\s*([a-z0-9]+)\s*$/.exec(ends);
  if (match === null || match[1] === match[2])
    throw new Error(`${definitionName(definition)}: ${JSON.stringify(ends)} is not of the form 'v1→v2'`);
  if (typeof run !== 'function')
    throw new Error(`${definitionName(definition)}: what converts ${ends} is not a function`);
  return { from: match[1]!, to: match[2]!, run };
}

/** Breadth first, hence the fewest steps; among routes of equal length the one whose steps come first. */
function routesFrom(start: string, steps: readonly RouteStep[]): ReadonlyMap<string, readonly RouteStep[]> {
  const routes = new Map<string, readonly RouteStep[]>([[start, []]]);
  for (const [at, route] of routes) {
    for (const step of steps)
      if (step.from === at && !routes.has(step.to)) routes.set(step.to, [...route, step]);
  }
  return routes;
}
