// What a census says about a definition, as data: which versions are really stored, which ones the definition
// claims, and which ones can be pruned.
import type { CustomResourceDefinition } from '@instar/crd';
import { compareKubeAwareVersions } from '@instar/machinery';
import type { Census } from './census.ts';

interface StoredVersionCount {
  readonly version: string;
  readonly objects: number;
  /** False: the definition no longer has the version, so that these objects cannot be read. */
  readonly defined: boolean;
  readonly served: boolean;
  readonly storage: boolean;
  readonly namespaces?: readonly { readonly namespace: string; readonly objects: number }[];
}

export interface StoredVersionsStatus {
  readonly storageVersion: string;
  readonly objects: number;
  /** Every version that the definition has, or in which something is stored; newest first. */
  readonly versions: readonly StoredVersionCount[];
  /** status.storedVersions of the definition. */
  readonly claimed: readonly string[];
  /**
   * True if the claim is right: nothing is stored in a version that is not claimed, and something in each
   * version that is.
   */
  readonly honest: boolean;
  /** Stored, but not claimed: removing such a version would lose data. */
  readonly unclaimed: readonly string[];
  /**
   * Claimed, but nothing is stored in it, and nothing will be: it can be removed from status.storedVersions.
   */
  readonly prunable: readonly string[];
  /** How many objects have managedFields that name each version. */
  readonly managedFields: readonly {
    readonly version: string;
    readonly objects: number;
    readonly defined: boolean;
  }[];
}

export function storedVersionsStatus(crd: CustomResourceDefinition, census: Census): StoredVersionsStatus {
  const { group, versions, scope } = crd.spec;
  const storageVersion = versions.find(({ storage }) => storage)?.name ?? '';
  const versionName = (apiVersion: string): string =>
    apiVersion.startsWith(`${group}/`) ? apiVersion.slice(group.length + 1) : apiVersion;
  const stored = new Map(
    [...census.stored].map(([apiVersion, namespaces]) => [versionName(apiVersion), namespaces]),
  );
  const known = new Map(versions.map((version) => [version.name, version]));
  const claimed = crd.status.storedVersions ?? [];
  const unclaimed = [...stored.keys()].filter((name) => !claimed.includes(name));
  const prunable = claimed.filter((name) => !stored.has(name) && name !== storageVersion);
  const countOf = (name: string): StoredVersionCount => {
    const namespaces = [...(stored.get(name) ?? [])].map(([namespace, objects]) => ({ namespace, objects }));
    const version = known.get(name);
    return {
      version: name,
      objects: namespaces.reduce((sum, { objects }) => sum + objects, 0),
      defined: version !== undefined,
      served: version?.served ?? false,
      storage: version?.storage ?? false,
      ...(scope === 'Namespaced' && {
        namespaces: namespaces.sort((a, b) => (a.namespace < b.namespace ? -1 : 1)),
      }),
    };
  };
  return {
    storageVersion,
    objects: census.objects,
    versions: [...new Set([...known.keys(), ...stored.keys()])].sort(compareKubeAwareVersions).map(countOf),
    claimed,
    honest: unclaimed.length === 0 && prunable.length === 0,
    unclaimed,
    prunable,
    managedFields: [...census.managed]
      .map(([apiVersion, objects]) => ({
        version: versionName(apiVersion),
        objects,
        defined: known.has(versionName(apiVersion)),
      }))
      .sort((a, b) => compareKubeAwareVersions(a.version, b.version)),
  };
}
