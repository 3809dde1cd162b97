// Finds the definition that converts an object, by its kind or by the plural that a lens names, and the
// route.
import { parseApiVersion } from '@instar/machinery';
import type { FindRoute } from './convert-batch.ts';
import type { ConversionDefinition } from './definition.ts';
import { definitionName, findRoutes, type Routes, routeKey } from './routes.ts';

interface Registered {
  readonly name: string;
  readonly group: string;
  readonly kind: string | undefined;
  readonly plural: string | undefined;
  readonly versions: readonly string[];
  readonly routes: Routes;
}

/** Throws if a definition is inconsistent, or two are for the same kind. */
export function routeFinder(definitions: readonly ConversionDefinition[], strict: boolean): FindRoute {
  const all = definitions.map(registered);
  refuseDuplicates(all);
  return (kind, fromApiVersion, toApiVersion) => {
    const [from, to] = [parseApiVersion(fromApiVersion), parseApiVersion(toApiVersion)];
    if (from === undefined || to === undefined || from.group !== to.group)
      return `${fromApiVersion} and ${toApiVersion} are of different groups`;
    const found = definitionOf(all, kind, from.group);
    if (found === undefined)
      return `no conversion is registered for kind ${kind} of ${from.group}; there is ${all.map(({ name }) => name).join(', ')}`;
    const unknown = [from.version, to.version].find((version) => !found.versions.includes(version));
    if (unknown !== undefined)
      return `version ${unknown} is not known; known are ${found.versions.join(', ')}`;
    const steps = found.routes.get(routeKey(from.version, to.version)) ?? [];
    return {
      group: from.group,
      steps,
      strict,
      ofBytes: steps.length === 1 && !strict ? steps[0]!.ofBytes?.() : undefined,
    };
  };
}

function registered(definition: ConversionDefinition): Registered {
  const { group = definition.lens?.group, kind, lens } = definition;
  const name = definitionName(definition);
  if (group === undefined || (kind === undefined && lens === undefined))
    throw new Error(`${name}: without a lens, group and kind must be given`);
  const plural = lens === undefined ? undefined : lens.crd.slice(0, lens.crd.indexOf('.'));
  return { name, group, kind, plural, ...findRoutes(definition) };
}

function refuseDuplicates(all: readonly Registered[]): void {
  const seen = new Set<string>();
  for (const { name } of all) {
    if (seen.has(name)) throw new Error(`there are two conversions for ${name}`);
    seen.add(name);
  }
}

function definitionOf(all: readonly Registered[], kind: string, group: string): Registered | undefined {
  const ofGroup = all.filter((known) => known.group === group);
  const byPlural = ofGroup.filter((known) => known.kind === undefined);
  const exact =
    ofGroup.find((known) => known.kind === kind) ??
    byPlural.find(({ plural }) => plural === usualPlural(kind));
  return exact ?? (byPlural.length === 1 && ofGroup.length === 1 ? byPlural[0] : undefined);
}

/** As client-go's UnsafeGuessKindToResource guesses it. */
function usualPlural(kind: string): string {
  const lower = kind.toLowerCase();
  if (lower.endsWith('s')) return `${lower}es`;
  return lower.endsWith('y') ? `${lower.slice(0, -1)}ies` : `${lower}s`;
}
