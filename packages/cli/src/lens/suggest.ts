// Runs `instar lens suggest`: finds the schemas, lets the lens be proposed, prints it.
import type { CustomResourceDefinition } from '@instar/crd';
import { printSuggestions, type SuggestedStep, suggest } from '@instar/lens';
import { compareKubeAwareVersions } from '@instar/machinery';
import type { JSONSchemaProps } from '@instar/schema';
import { CommandFailure } from '../exit-with-message.ts';
import { readDefinition } from '../test/load-definition.ts';

export interface SuggestFlags {
  readonly from?: string;
  readonly to?: string;
  readonly name?: string;
}

interface Version {
  readonly name: string;
  readonly schema: JSONSchemaProps;
}

export async function suggestLens(
  before: string,
  after: string | undefined,
  flags: SuggestFlags,
): Promise<number> {
  const old = await readDefinition(before, flags.name);
  const pairs =
    after === undefined
      ? pairsWithin(old, flags)
      : [pairOf(old, await readDefinition(after, flags.name), flags)];
  const steps = pairs.map(
    ([from, to]): SuggestedStep => ({
      from: from.name,
      to: to.name,
      suggestions: suggest(from.schema, to.schema),
    }),
  );
  process.stdout.write(printSuggestions(`${old.spec.names.plural}.${old.spec.group}`, steps));
  return 0;
}

/** Oldest first. */
function versionsOf({ spec, metadata }: CustomResourceDefinition): Version[] {
  const versions = (spec.versions ?? []).flatMap(({ name, schema }) =>
    schema?.openAPIV3Schema === undefined ? [] : [{ name, schema: schema.openAPIV3Schema }],
  );
  if (versions.length === 0) throw new CommandFailure(`${metadata.name} has no version with a schema`, 2);
  return versions.sort((a, b) => compareKubeAwareVersions(b.name, a.name));
}

function pairsWithin(crd: CustomResourceDefinition, { from, to }: SuggestFlags): [Version, Version][] {
  const versions = versionsOf(crd);
  if (from !== undefined || to !== undefined)
    return [[named(versions, from ?? versions[0]!.name), named(versions, to)]];
  if (versions.length < 2)
    throw new CommandFailure(
      `${crd.metadata.name} has only ${versions[0]!.name}: name a file with the new definition too`,
      2,
    );
  return versions.slice(1).map((version, i) => [versions[i]!, version]);
}

function pairOf(
  old: CustomResourceDefinition,
  now: CustomResourceDefinition,
  { from, to }: SuggestFlags,
): [Version, Version] {
  const pair: [Version, Version] = [named(versionsOf(old), from), named(versionsOf(now), to)];
  if (pair[0].name !== pair[1].name) return pair;
  throw new CommandFailure(
    `both are ${pair[0].name}: a lens joins two versions; choose them with --from and --to`,
    2,
  );
}

/** The newest, if none is asked for. */
function named(versions: readonly Version[], name: string | undefined): Version {
  const found = name === undefined ? versions.at(-1) : versions.find((version) => version.name === name);
  if (found !== undefined) return found;
  throw new CommandFailure(
    `there is no version ${name} with a schema; there are ${versions.map((version) => version.name).join(', ')}`,
    2,
  );
}
