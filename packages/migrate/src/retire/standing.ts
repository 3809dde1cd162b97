// How things stand with a version that is to go: all that holds it, in one reading.
import type { KubeApi } from '@instar/client';
import type { CustomResourceDefinition } from '@instar/crd';
import { compareKubeAwareVersions } from '@instar/machinery';
import { crdName, readDefinition, requireVersion, storageVersionOf } from '../definition/definition.ts';
import { sharesFieldNames } from '../definition/lenses.ts';
import { readStored } from '../stored/read-stored.ts';
import { type Clients, readClients } from './version-clients.ts';

export interface Standing {
  readonly crd: CustomResourceDefinition;
  readonly name: string;
  readonly version: string;
  /** The version that takes its place. */
  readonly to: string | undefined;
  readonly defined: boolean;
  readonly served: boolean;
  readonly deprecated: boolean;
  readonly isStorage: boolean;
  /** In status.storedVersions. */
  readonly claimed: boolean;
  /** Objects that are stored in it; undefined where the server does not tell. */
  readonly stored: number | undefined;
  /** Objects with managedFields that name it, among those that were looked at. */
  readonly managed: number;
  /** Fields have the same names in all versions. */
  readonly sharesFieldNames: boolean;
  readonly clients: Clients;
}

export async function readStanding(
  api: KubeApi,
  name: string,
  version: string,
  to?: string,
): Promise<Standing> {
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
    claimed: (crd.status.storedVersions ?? []).includes(version),
    stored: stored.known
      ? (stored.versions.find((other) => other.version === version)?.objects ?? 0)
      : undefined,
    managed: stored.managedFields.find((other) => other.version === version)?.objects ?? 0,
    sharesFieldNames: shares,
    clients,
  };
}

/** The storage version, or else the newest of those that are served and not deprecated. */
function successorOf(crd: CustomResourceDefinition, version: string): string | undefined {
  const storage = storageVersionOf(crd);
  if (storage !== version) return storage;
  const others = crd.spec.versions
    .filter((other) => other.name !== version && other.served && !other.deprecated)
    .map(({ name }) => name);
  return others.sort(compareKubeAwareVersions)[0];
}

/** Clients that were seen within the last `quietMs`, or watch now. */
export function activeClients({ clients }: Standing, quietMs: number, now: number) {
  if (!clients.known) return undefined;
  return clients.clients.filter(
    ({ openWatches, lastSeen }) => openWatches > 0 || now - Date.parse(lastSeen) < quietMs,
  );
}
