// Legacy discovery: APIVersions, APIGroupList, APIGroup and APIResourceList, one document per version.
import type { GroupVersionKind } from '@instar/machinery';
import {
  type DiscoveredGroup,
  type DiscoveredResource,
  type DiscoveredVersion,
  groupVersion,
} from './documents.ts';

export function apiVersions(groups: readonly DiscoveredGroup[], serverAddress: string): object {
  const core = groups.find(({ name }) => name === '');
  return {
    kind: 'APIVersions',
    versions: core?.versions.map(({ version }) => version) ?? [],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  };
}

export function apiGroupList(groups: readonly DiscoveredGroup[]): object {
  return {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: groups.filter(({ name }) => name !== '').map(groupOf),
  };
}

export function apiGroup(group: DiscoveredGroup): object {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupOf(group) };
}

function groupOf({ name, versions }: DiscoveredGroup) {
  const all = versions.map(({ version }) => groupVersion(name, version));
  return { name, versions: all, preferredVersion: all[0]! };
}

export function apiResourceList(group: string, { version, resources }: DiscoveredVersion): object {
  return {
    kind: 'APIResourceList',
    // As upstream, whose core group has its own handler.
    ...(group !== '' && { apiVersion: 'v1' }),
    groupVersion: groupVersion(group, version).groupVersion,
    resources: resources.flatMap((resource) => resourceAndSubresources(resource, group, version)),
  };
}

function resourceAndSubresources(resource: DiscoveredResource, group: string, version: string): object[] {
  const {
    name,
    singular,
    kind,
    namespaced,
    verbs,
    shortNames,
    categories,
    storageVersionHash,
    subresources,
  } = resource;
  return [
    {
      name,
      singularName: singular,
      namespaced,
      kind,
      verbs,
      ...(shortNames.length > 0 && { shortNames }),
      ...(categories.length > 0 && { categories }),
      ...(storageVersionHash !== undefined && { storageVersionHash }),
    },
    ...subresources.map((subresource) => ({
      name: `${name}/${subresource.name}`,
      singularName: '',
      namespaced,
      ...(subresource.kind === undefined ? { kind } : kindWithin(subresource.kind, group, version)),
      verbs: subresource.verbs,
    })),
  ];
}

/** The group and version of a kind are said only if they are not those of the document. */
function kindWithin({ kind, ...of }: GroupVersionKind, group: string, version: string): object {
  return of.group === group && of.version === version ? { kind } : { ...of, kind };
}
