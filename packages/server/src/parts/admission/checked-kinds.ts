// The kinds that the rules of a policy name, with the schemas that type checking needs.
import type { CheckedKind, PolicySpec, RuleSource } from '@instar/admission';
import { type GroupVersionKind, gvkOf } from '@instar/machinery';
import { ObjectMeta } from '../../kinds/typed/object-meta.ts';
import { schemaOf } from '../../kinds/typed/schema-of.ts';
import type { VersionDefinition } from '../../objects/definition.ts';
import type { ResourceRegistry, ServedResource } from '../../objects/registry.ts';

/** A policy for more kinds is checked with the first ones only, as upstream. */
const MAX_KINDS = 10;

export function checkedKinds(registry: ResourceRegistry, { matchConstraints }: PolicySpec): CheckedKind[] {
  const found = new Map<string, CheckedKind>();
  for (const rule of matchConstraints?.resourceRules ?? []) {
    for (const served of servedBy(registry, rule)) {
      if (found.size < MAX_KINDS)
        found.set(
          `${served.version.apiVersion} ${served.resource.definition.names.kind}`,
          checkedKind(served),
        );
    }
  }
  return [...found.values()].sort((a, b) => compare(a.kind, b.kind));
}

export function paramsSchema(
  registry: ResourceRegistry,
  { paramKind }: PolicySpec,
): CheckedKind['schema'] | undefined {
  const served = paramKind && registry.findKind(paramKind.apiVersion, paramKind.kind);
  return served && wholeSchema(served.version);
}

/** A rule with wildcards does not name kinds. Subresources are left out. */
function servedBy(registry: ResourceRegistry, rule: RuleSource): ServedResource[] {
  const plain = (items: readonly string[] | null | undefined): string[] => {
    const all = items ?? [];
    return all.some((item) => item.includes('*')) ? [] : [...all].sort();
  };
  const resources = (rule.resources ?? []).filter((resource) => !/[*/]/.test(resource)).sort();
  return plain(rule.apiGroups).flatMap((group) =>
    plain(rule.apiVersions).flatMap((version) =>
      resources.flatMap((resource) => registry.find(group, version, resource) ?? []),
    ),
  );
}

function checkedKind({ resource, version }: ServedResource): CheckedKind {
  return { kind: gvkOf(version.apiVersion, resource.definition.names.kind), schema: wholeSchema(version) };
}

/** The schemas of custom kinds omit metadata, which is the same for all. */
function wholeSchema({ schema }: VersionDefinition): CheckedKind['schema'] {
  const { source: props } = schema;
  const text = { type: 'string' } as const;
  const properties = { ...props.properties, apiVersion: text, kind: text, metadata: schemaOf(ObjectMeta) };
  return { ...props, type: 'object', properties } as CheckedKind['schema'];
}

function compare(a: GroupVersionKind, b: GroupVersionKind): number {
  const [one, other] = [a, b].map(({ group, version, kind }) => `${group} ${version} ${kind}`);
  return one! < other! ? -1 : 1;
}
