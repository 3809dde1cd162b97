// Pairs the definitions of both sides by name. A single one on each side is a pair whatever the names are.
import type { JsonObject } from '@instar/machinery';
import { definitionName, type ReadDefinitions } from './sources/read-definitions.ts';

export interface DefinitionPair {
  readonly name: string;
  readonly old: JsonObject | undefined;
  readonly new: JsonObject | undefined;
}

export function pairDefinitions(
  old: ReadDefinitions,
  next: ReadDefinitions,
  only: string | undefined,
): DefinitionPair[] {
  if (isSingle(old) && isSingle(next) && only === undefined) {
    return [
      { name: definitionName(next.definitions[0]!), old: old.definitions[0], new: next.definitions[0] },
    ];
  }
  const [before, after] = [byName(old), byName(next)];
  const names = [...new Set([...after.keys(), ...before.keys()])].sort();
  return names
    .filter((name) => (only ?? name) === name)
    .filter((name) => !(old.isCluster && !after.has(name)) && !(next.isCluster && !before.has(name)))
    .map((name) => ({ name, old: before.get(name), new: after.get(name) }));
}

function byName({ definitions }: ReadDefinitions): Map<string, JsonObject> {
  return new Map(definitions.map((one) => [definitionName(one), one]));
}

const isSingle = ({ definitions, isCluster }: ReadDefinitions): boolean =>
  definitions.length === 1 && !isCluster;
