// What discovery says of the registry, as plain data from which both formats (legacy and aggregated) are
// printed.
import { createHash } from 'node:crypto';
import { compareKubeAwareVersions, printApiVersion } from '@instar/machinery';
import type { ResourceDefinition, VersionDefinition } from '../../objects/definition.ts';
import type { ResourceRegistry } from '../../objects/registry.ts';
import { type DeclaredSubresource, subresourceKind, subresourceVerbs } from '../../objects/subresource.ts';

export interface DiscoveredSubresource {
  readonly name: string;
  readonly verbs: readonly string[];
  /** What it answers with, if that is not the kind of the resource. */
  readonly kind?: { readonly group: string; readonly version: string; readonly kind: string };
}

export interface DiscoveredResource {
  readonly name: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly storageVersionHash?: string;
  readonly subresources: readonly DiscoveredSubresource[];
  readonly isTyped: boolean;
}

export interface DiscoveredVersion {
  readonly version: string;
  readonly resources: readonly DiscoveredResource[];
}

export interface DiscoveredGroup {
  readonly name: string;
  /** The preferred one first. */
  readonly versions: readonly DiscoveredVersion[];
}

/** The order in which upstream lists them for custom resources. */
const ALL_VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const TYPED_VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
/** The verbs that discovery lists while a definition is being deleted. */
const TERMINATING_VERBS = ['delete', 'deletecollection', 'get', 'list', 'watch'];
const SUBRESOURCE_VERBS = ['get', 'patch', 'update'];

export function discover(registry: ResourceRegistry): DiscoveredGroup[] {
  const groups = new Map<string, Map<string, DiscoveredResource[]>>();
  const add = (group: string, version: string, resource: DiscoveredResource): void => {
    const versions = groups.get(group) ?? new Map<string, DiscoveredResource[]>();
    groups.set(group, versions);
    const resources = versions.get(version);
    if (resources === undefined) versions.set(version, [resource]);
    else resources.push(resource);
  };
  for (const { definition } of registry.all()) {
    for (const version of definition.versions)
      if (version.served) add(version.group, version.version, discoveredResource(definition, version));
  }
  for (const {
    group,
    version,
    resource,
    singular,
    kind,
    namespaced,
    verbs,
    shortNames = [],
  } of registry.virtual()) {
    add(group, version, {
      name: resource,
      singular,
      kind,
      namespaced,
      verbs,
      shortNames,
      categories: [],
      subresources: [],
      isTyped: true,
    });
  }
  return [...groups].map(([name, versions]) => ({ name, versions: sortedVersions(versions) }));
}

function sortedVersions(versions: Map<string, DiscoveredResource[]>): DiscoveredVersion[] {
  return [...versions]
    .sort(([a], [b]) => compareKubeAwareVersions(a, b))
    .map(([version, resources]) => ({
      version,
      resources: resources.sort((a, b) => (a.name < b.name ? -1 : 1)),
    }));
}

function discoveredResource(definition: ResourceDefinition, version: VersionDefinition): DiscoveredResource {
  const { names, namespaced, typed, verbs } = definition;
  return {
    name: names.plural,
    singular: names.singular,
    kind: names.kind,
    namespaced,
    verbs: verbs ?? (definition.terminating ? TERMINATING_VERBS : typed ? TYPED_VERBS : ALL_VERBS),
    shortNames: names.shortNames,
    categories: names.categories,
    storageVersionHash: storageVersionHash(definition),
    subresources: subresourcesOf(definition, version),
    isTyped: typed,
  };
}

function subresourcesOf(
  { strategy, typed }: ResourceDefinition,
  version: VersionDefinition,
): DiscoveredSubresource[] {
  const found: DiscoveredSubresource[] = (version.subresources ?? []).map(declaredSubresource);
  if (strategy.finalizersUnderSpec) found.push({ name: 'finalize', verbs: ['update'] });
  if (version.statusSubresource) found.push({ name: 'status', verbs: SUBRESOURCE_VERBS });
  if (version.scaleSubresource !== undefined) {
    found.push({
      name: 'scale',
      verbs: SUBRESOURCE_VERBS,
      kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
    });
  }
  return typed ? found.sort((a, b) => (a.name < b.name ? -1 : 1)) : found;
}

function declaredSubresource(declared: DeclaredSubresource): DiscoveredSubresource {
  const kind = subresourceKind(declared);
  return { name: declared.name, verbs: subresourceVerbs(declared), ...(kind !== undefined && { kind }) };
}

/** A hash of the storage version, by which storage migrators detect that it has changed. */
function storageVersionHash({ storageApiVersion, names }: ResourceDefinition): string {
  const text = `${storageApiVersion.includes('/') ? '' : '/'}${storageApiVersion}/${names.kind}`;
  return createHash('sha256').update(text).digest().subarray(0, 8).toString('base64');
}

export const groupVersion = (group: string, version: string) => ({
  groupVersion: printApiVersion({ group, version }),
  version,
});
