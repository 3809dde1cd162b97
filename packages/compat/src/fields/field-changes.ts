// Which fields of an object were added, removed, or seem to be renamed. The API server defines apiVersion,
// kind and metadata of the object itself.
import type { JSONSchemaProps } from '@instar/schema';
import type { NodePair } from '../walk/node-pair.ts';
import { isSchema } from '../walk/walk-schemas.ts';
import { likenessOf } from './likeness.ts';

interface Rename {
  readonly from: string;
  readonly to: string;
  /** Why it seems so, as messages show it. */
  readonly reason: string;
}

export interface FieldChanges {
  readonly removed: readonly string[];
  readonly added: readonly string[];
  readonly renamed: readonly Rename[];
}

const memoized = new WeakMap<NodePair, FieldChanges>();

/** Computed once per pair: several rules need it. */
export function fieldChangesOf(pair: NodePair): FieldChanges {
  const known = memoized.get(pair);
  if (known !== undefined) return known;
  const changes = changesOf(pair);
  memoized.set(pair, changes);
  return changes;
}

const SERVER_FIELDS = new Set(['apiVersion', 'kind', 'metadata']);

export function isServerField({ path, old }: NodePair, name: string): boolean {
  return SERVER_FIELDS.has(name) && (path === '' || old['x-kubernetes-embedded-resource'] === true);
}

function changesOf(pair: NodePair): FieldChanges {
  const was = pair.old.properties ?? {};
  const is = pair.new.properties ?? {};
  // Fields that beadded keys of a map are reported by the rule additional-properties.
  const becameMap = isSchema(pair.new.additionalProperties) || pair.new.additionalProperties === true;
  const removed = becameMap
    ? []
    : Object.keys(was).filter((name) => !Object.hasOwn(is, name) && !isServerField(pair, name));
  const added = Object.keys(is).filter((name) => !Object.hasOwn(was, name) && !isServerField(pair, name));
  const renamed = renames(was, is, removed, added);
  const from = new Set(renamed.map((rename) => rename.from));
  const to = new Set(renamed.map((rename) => rename.to));
  return {
    removed: removed.filter((name) => !from.has(name)),
    added: added.filter((name) => !to.has(name)),
    renamed,
  };
}

type Properties = Record<string, JSONSchemaProps>;

/** The most similar pairs first; each field is part of at most one. */
function renames(
  was: Properties,
  is: Properties,
  removed: readonly string[],
  added: readonly string[],
): Rename[] {
  const candidates = removed.flatMap((from) =>
    added.flatMap((to) => {
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
