// Which fields of an object came, went, or look renamed. apiVersion, kind and metadata of the object itself
// are the API server's own.
import type { JSONSchemaProps } from '@instar/schema';
import type { NodePair } from '../walk/node-pair.ts';
import { isSchema } from '../walk/walk-schemas.ts';
import { likenessOf } from './likeness.ts';

export interface Rename {
  readonly from: string;
  readonly to: string;
  /** What speaks for it, as messages say it. */
  readonly reason: string;
}

export interface FieldChanges {
  readonly removed: readonly string[];
  readonly added: readonly string[];
  readonly renamed: readonly Rename[];
}

const known = new WeakMap<NodePair, FieldChanges>();

/** Computed once per pair: several rules need it. */
export function fieldChangesOf(pair: NodePair): FieldChanges {
  const cached = known.get(pair);
  if (cached !== undefined) return cached;
  const changes = changesOf(pair);
  known.set(pair, changes);
  return changes;
}

const SERVERS_OWN = new Set(['apiVersion', 'kind', 'metadata']);

export function isServersOwn({ path, old }: NodePair, name: string): boolean {
  return SERVERS_OWN.has(name) && (path === '' || old['x-kubernetes-embedded-resource'] === true);
}

function changesOf(pair: NodePair): FieldChanges {
  const was = pair.old.properties ?? {};
  const is = pair.new.properties ?? {};
  // Fields that became keys of a map are the business of the rule of maps.
  const becameMap = isSchema(pair.new.additionalProperties) || pair.new.additionalProperties === true;
  const gone = becameMap
    ? []
    : Object.keys(was).filter((name) => !Object.hasOwn(is, name) && !isServersOwn(pair, name));
  const came = Object.keys(is).filter((name) => !Object.hasOwn(was, name) && !isServersOwn(pair, name));
  const renamed = renames(was, is, gone, came);
  const from = new Set(renamed.map((rename) => rename.from));
  const to = new Set(renamed.map((rename) => rename.to));
  return {
    removed: gone.filter((name) => !from.has(name)),
    added: came.filter((name) => !to.has(name)),
    renamed,
  };
}

type Properties = Record<string, JSONSchemaProps>;

/** The likeliest first; a field is renamed once at most. */
function renames(
  was: Properties,
  is: Properties,
  gone: readonly string[],
  came: readonly string[],
): Rename[] {
  const candidates = gone.flatMap((from) =>
    came.flatMap((to) => {
      const likeness = likenessOf(from, was[from]!, to, is[to]!);
      return likeness === undefined ? [] : [{ from, to, ...likeness }];
    }),
  );
  const taken = new Set<string>();
  const chosen: Rename[] = [];
  for (const { from, to, reason } of candidates.sort((a, b) => b.score - a.score)) {
    if (taken.has(`-${from}`) || taken.has(`+${to}`)) continue;
    taken.add(`-${from}`).add(`+${to}`);
    chosen.push({ from, to, reason });
  }
  return chosen;
}
