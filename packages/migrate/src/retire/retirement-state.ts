// The state of a version that is to be retired: everything that still needs it, in one reading.
import type { KubeApi } from '@instar/client';
import type { CustomResourceDefinition } from '@instar/crd';
import { compareKubeAwareVersions } from '@instar/machinery';
import { crdName, readDefinition, requireVersion, storageVersionOf } from '../definition/definition.ts';
import { sharesFieldNames } from '../definition/lenses.ts';
import { readStored } from '../stored/read-stored.ts';
import { type Clients, type ClientUse, readClients } from './version-clients.ts';

/** What the cluster says about a version that is being retired. */
export interface RetirementState {
  readonly crd: CustomResourceDefinition;
  readonly name: string;
  readonly version: string;
  /** The version that replaces it. */
  readonly to: string | undefined;
  readonly defined: boolean;
  readonly served: boolean;
  readonly deprecated: boolean;
  readonly isStorage: boolean;
  /** In status.storedVersions. */
  readonly isInStoredVersions: boolean;
  /** Objects stored in it; undefined if the server has no census. */
  readonly stored: number | undefined;
  /** Objects with managedFields that name it, among those read. */
  readonly managed: number;
  /** Field names are the same in all versions. */
  readonly sharesFieldNames: boolean;
  readonly clients: Clients;
}

/** Reads the state of a retirement from the cluster. */
export async function readRetirementState(
  api: KubeApi,
  name: string,
  version: string,
  to?: string,
): Promise<RetirementState> {
  const crd = await readDefinition(api, name);
  if (to !== undefined) requireVersion(crd, to);
  const [stored, clients, shares] = await Promise.all([
    readStored(api, crd),
    readClients(api, crd, version),
    sharesFieldNames(api, crd),
  ]);
  const found = crd.spec.versions.find(({ name }) => name === version);
  return {
    crd,
    name: crdName(crd),
    version,
    to: to ?? successorOf(crd, version),
    defined: found !== undefined,
    served: found?.served ?? false,
    deprecated: found?.deprecated ?? false,
    isStorage: storageVersionOf(crd) === version,
    isInStoredVersions: (crd.status.storedVersions ?? []).includes(version),
    stored: stored.known
      ? (stored.versions.find((other) => other.version === version)?.objects ?? 0)
      : undefined,
    managed: stored.managedFields.find((other) => other.version === version)?.objects ?? 0,
    sharesFieldNames: shares,
    clients,
  };
}

/** The storage version, or else the newest served version that is not deprecated. */
function successorOf(crd: CustomResourceDefinition, version: string): string | undefined {
  const storage = storageVersionOf(crd);
  if (storage !== version) return storage;
  const others = crd.spec.versions
    .filter((other) => other.name !== version && other.served && !other.deprecated)
    .map(({ name }) => name);
  return others.sort(compareKubeAwareVersions)[0];
}

/** Clients seen within the last `quietMs`, or watching now. */
export function activeClients(
  { clients }: RetirementState,
  quietMs: number,
  now: number,
): readonly ClientUse[] | undefined {
  if (!clients.known) return undefined;
  return clients.clients.filter(
    ({ openWatches, lastSeen }) => openWatches > 0 || now - Date.parse(lastSeen) < quietMs,
  );
}
