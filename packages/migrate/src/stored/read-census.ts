// The census of an Instar server: instar.dev/v1alpha1 StoredVersions. Other servers have none.
import { apiErrorOf, type KubeApi } from '@instar/client';

export interface CensusStatus {
  readonly storageVersion: string;
  readonly objects: number;
  readonly versions: readonly {
    readonly version: string;
    readonly objects: number;
    readonly defined: boolean;
    readonly served: boolean;
    readonly storage: boolean;
    readonly namespaces?: readonly { readonly namespace: string; readonly objects: number }[];
  }[];
  readonly claimed: readonly string[];
  readonly honest: boolean;
  readonly unclaimed: readonly string[];
  readonly prunable: readonly string[];
  readonly managedFields: readonly {
    readonly version: string;
    readonly objects: number;
    readonly defined: boolean;
  }[];
  readonly conversions?: TriedConversions;
}

export interface TriedConversions {
  readonly to: string;
  readonly tried: number;
  readonly continue?: string;
  readonly failures: readonly ConversionFault[];
}

interface ConversionFault {
  readonly namespace?: string;
  readonly name: string;
  readonly version: string;
  readonly reason: string;
}

/** Failures are listed up to this number. */
const MAX_FAILURES = 1_000;

/** Undefined: the server has no census, or no such definition. */
export async function readCensus(
  api: KubeApi,
  crd: string,
  conversions: { readonly to?: string } | undefined,
): Promise<CensusStatus | undefined> {
  const query = { conversions: true, limit: 10_000, ...conversions };
  const status = await readPage(api, crd, conversions === undefined ? {} : query);
  if (status?.conversions?.continue === undefined) return status;
  const { continue: first, ...rest } = status.conversions;
  let { tried } = rest;
  let next: string | undefined = first;
  const failures = [...rest.failures];
  while (next !== undefined && failures.length < MAX_FAILURES) {
    const page = await readPage(api, crd, { ...query, continue: next });
    tried += page?.conversions?.tried ?? 0;
    failures.push(...(page?.conversions?.failures ?? []));
    next = page?.conversions?.continue;
  }
  return {
    ...status,
    conversions: { ...rest, tried, failures, ...(next !== undefined && { continue: next }) },
  };
}

/** What other servers answer for a group that they do not have. */
const UNKNOWN: ReadonlySet<number> = new Set([403, 404]);

async function readPage(
  api: KubeApi,
  crd: string,
  query: Record<string, string | number | boolean>,
): Promise<CensusStatus | undefined> {
  const path = `/apis/instar.dev/v1alpha1/storedversions/${encodeURIComponent(crd)}`;
  const { status, body } = await api.request({
    method: 'GET',
    path,
    query,
    headers: { accept: 'application/json' },
  });
  if (UNKNOWN.has(status)) return undefined;
  if (status !== 200) throw apiErrorOf(status, body, `GET ${path}`);
  return (JSON.parse(Buffer.from(body).toString()) as { status: CensusStatus }).status;
}
