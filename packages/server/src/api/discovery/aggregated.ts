// Aggregated discovery: everything in one document (apidiscovery.k8s.io/v2), so that clients need
// not send a request per version.
import type { DiscoveredGroup, DiscoveredResource, DiscoveredSubresource } from './documents.ts';

export function aggregatedDiscovery(groups: readonly DiscoveredGroup[]): object {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map(({ name, versions }) => ({
      metadata: name === '' ? {} : { name },
      versions: versions.map(({ version, resources }) => ({
        version,
        resources: resources.map((resource) => resourceOf(name, version, resource)),
        freshness: 'Current',
      })),
    })),
  };
}

function resourceOf(group: string, version: string, resource: DiscoveredResource): object {
  const { name, singular, kind, namespaced, verbs, shortNames, categories, subresources } = resource;
  // Upstream leaves the version of core kinds empty.
  const responseKind = { group, version: group === '' ? '' : version, kind };
  return {
    resource: name,
    responseKind,
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && {
      subresources: subresources.map((subresource) => subresourceOf(subresource, responseKind)),
    }),
  };
}

function subresourceOf({ name, kind, verbs }: DiscoveredSubresource, ofResource: object): object {
  return { subresource: name, responseKind: kind ?? ofResource, verbs };
}
