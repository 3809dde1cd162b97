// What is stored in which version: known from an Instar server, inferred elsewhere. kube-apiserver does not
// report it.
import type { KubeApi } from '@instar/client';
import type { CustomResourceDefinition } from '@instar/crd';
import { compareKubeAwareVersions } from '@instar/machinery';
import { crdName, servedVersionOf, storageVersionOf } from '../definition/definition.ts';
import { metadataPages } from './metadata-pages.ts';
import { type CensusStatus, readCensus, type TriedConversions } from './read-census.ts';

export interface KnownStored extends CensusStatus {
  readonly crd: string;
  readonly known: true;
  readonly conversions?: TriedConversions;
}

export interface InferredStored {
  readonly crd: string;
  readonly known: false;
  readonly storageVersion: string;
  readonly claimed: readonly string[];
  /** Objects that were read, and whether there are more. */
  readonly looked: number;
  readonly more: boolean;
  /** The versions that managedFields name: clients wrote through them, which says nothing about storage. */
  readonly managedFields: readonly {
    readonly version: string;
    readonly objects: number;
    readonly defined: boolean;
  }[];
}

export type Stored = KnownStored | InferredStored;

export interface StoredOptions {
  /** Try to convert the objects, to that version or to the storage version. */
  readonly conversions?: { readonly to?: string };
  /** On servers without a census: how many objects to read. */
  readonly sample?: number;
}

const SAMPLE = 5_000;

/** Reads or infers which versions the objects of a definition are stored in. */
export async function readStored(
  api: KubeApi,
  crd: CustomResourceDefinition,
  options: StoredOptions = {},
): Promise<Stored> {
  const census = await readCensus(api, crdName(crd), options.conversions);
  if (census === undefined) return inferStored(api, crd, options.sample ?? SAMPLE);
  return { crd: crdName(crd), known: true, ...census };
}

async function inferStored(
  api: KubeApi,
  crd: CustomResourceDefinition,
  sample: number,
): Promise<InferredStored> {
  const counts = new Map<string, number>();
  let looked = 0;
  let more = false;
  const version = servedVersionOf(crd);
  if (version !== undefined) {
    for await (const page of metadataPages(api, crd, version, {})) {
      for (const { managedFields = [] } of page.items) {
        looked++;
        const named = new Set(
          managedFields.map(({ apiVersion = '' }) => apiVersion.replace(`${crd.spec.group}/`, '')),
        );
        for (const name of named) counts.set(name, (counts.get(name) ?? 0) + 1);
      }
      more = page.continue !== '';
      if (looked >= sample) break;
    }
  }
  const defined = new Set(crd.spec.versions.map(({ name }) => name));
  return {
    crd: crdName(crd),
    known: false,
    storageVersion: storageVersionOf(crd),
    claimed: crd.status.storedVersions ?? [],
    looked,
    more,
    managedFields: [...counts]
      .map(([name, objects]) => ({ version: name, objects, defined: defined.has(name) }))
      .sort((a, b) => compareKubeAwareVersions(a.version, b.version)),
  };
}
