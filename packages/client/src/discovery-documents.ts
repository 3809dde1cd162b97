// Discovery documents as ResourceInfos: aggregated discovery, and the older list of one group and version.
// Without I/O.
import type { GroupVersion } from '@instar/machinery';
import type { DiscoveredGroup, ResourceInfo } from './kube-api.ts';

interface AggregatedResource {
  readonly resource: string;
  readonly singularResource?: string;
  readonly responseKind?: { readonly kind?: string };
  readonly scope?: string;
  readonly shortNames?: readonly string[];
  readonly verbs?: readonly string[];
  readonly subresources?: readonly { readonly subresource: string }[];
}

interface AggregatedGroup {
  readonly metadata?: { readonly name?: string };
  readonly versions?: readonly {
    readonly version: string;
    readonly resources?: readonly AggregatedResource[];
  }[];
}

export function groupsOfAggregated(document: Record<string, unknown>): DiscoveredGroup[] {
  return ((document['items'] ?? []) as AggregatedGroup[]).map(({ metadata, versions = [] }) => {
    const group = metadata?.name ?? '';
    return {
      group,
      versions: versions.map(({ version }) => version),
      resources: versions.flatMap(({ version, resources = [] }) =>
        resources.map((resource) => aggregatedInfo(resource, { group, version })),
      ),
    };
  });
}

function aggregatedInfo(resource: AggregatedResource, { group, version }: GroupVersion): ResourceInfo {
  return {
    group,
    version,
    resource: resource.resource,
    singular: resource.singularResource ?? '',
    kind: resource.responseKind?.kind ?? '',
    namespaced: resource.scope === 'Namespaced',
    shortNames: resource.shortNames ?? [],
    verbs: resource.verbs ?? [],
    subresources: (resource.subresources ?? []).map(({ subresource }) => subresource),
  };
}

interface ListedResource {
  readonly name: string;
  readonly singularName?: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** In this document subresources are listed as `widgets/status` among the resources. */
export function resourcesOfList(
  document: Record<string, unknown>,
  { group, version }: GroupVersion,
): ResourceInfo[] {
  const listed = (document['resources'] ?? []) as ListedResource[];
  const below = (name: string): string[] =>
    listed
      .filter((other) => other.name.startsWith(`${name}/`))
      .map((other) => other.name.slice(name.length + 1));
  return listed
    .filter(({ name }) => !name.includes('/'))
    .map(({ name, singularName = '', kind, namespaced, shortNames = [], verbs }) => ({
      group,
      version,
      resource: name,
      singular: singularName,
      kind,
      namespaced,
      shortNames,
      verbs,
      subresources: below(name),
    }));
}

/** Groups and versions are in the server's order of preference, so the first match is the right one. */
export function resourceOfKind(
  groups: readonly DiscoveredGroup[],
  wanted: { readonly group: string; readonly kind: string; readonly version?: string },
): ResourceInfo | undefined {
  return groups
    .find(({ group }) => group === wanted.group)
    ?.resources.find(
      ({ kind, version }) =>
        kind === wanted.kind && (wanted.version === undefined || version === wanted.version),
    );
}

/** `widgets`, `widget` or `wd`, optionally followed by `.group` or `.version.group`. */
export function resourceByName(groups: readonly DiscoveredGroup[], name: string): ResourceInfo | undefined {
  const resources = groups.flatMap((group) => group.resources);
  const [word = '', ...rest] = name.toLowerCase().split('.');
  const qualifier = rest.join('.');
  const isInGroup = ({ group, version }: ResourceInfo): boolean =>
    qualifier === '' || qualifier === group || qualifier === `${version}.${group}`;
  const by = (matches: (info: ResourceInfo) => boolean): ResourceInfo | undefined =>
    resources.find((info) => isInGroup(info) && matches(info));
  return (
    by(({ resource }) => resource === word) ??
    by(({ singular, kind }) => (singular || kind.toLowerCase()) === word) ??
    by(({ shortNames }) => shortNames.includes(word))
  );
}
