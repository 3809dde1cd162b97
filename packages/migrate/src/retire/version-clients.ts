// Who uses a version: an Instar server records it; others have only request counters since their start,
// without names.
import type { KubeApi } from '@instar/client';
import type { CustomResourceDefinition } from '@instar/crd';
import { crdName } from '../definition/definition.ts';

export interface ClientUse {
  readonly user: string;
  readonly userAgent: string;
  readonly reads: number;
  readonly writes: number;
  readonly openWatches: number;
  readonly firstSeen: string;
  readonly lastSeen: string;
}

export type Clients =
  | { readonly known: true; readonly clients: readonly ClientUse[] }
  /** `requests` since the server that answered was started; undefined if it does not show its metrics. */
  | { readonly known: false; readonly requests: number | undefined };

/** The tools that migrate and retire do not keep a version in use. */
const OWN_TOOLS = /^instar-(stored|migrate|retire)\b/;

export async function readClients(
  api: KubeApi,
  crd: CustomResourceDefinition,
  version: string,
): Promise<Clients> {
  const path = '/apis/instar.dev/v1alpha1/versionclients';
  const { status, body } = await api.request({
    method: 'GET',
    path,
    query: { crd: crdName(crd), version },
    headers: { accept: 'application/json' },
  });
  if (status !== 200) return { known: false, requests: await countRequests(api, crd, version) };
  const { items } = JSON.parse(Buffer.from(body).toString()) as { items: { status: ClientUse }[] };
  return {
    known: true,
    clients: items.map((item) => item.status).filter(({ userAgent }) => !OWN_TOOLS.test(userAgent)),
  };
}

async function countRequests(
  api: KubeApi,
  { spec }: CustomResourceDefinition,
  version: string,
): Promise<number | undefined> {
  const { status, body } = await api.request({ method: 'GET', path: '/metrics' });
  if (status !== 200) return undefined;
  const labels = [`group="${spec.group}"`, `version="${version}"`, `resource="${spec.names.plural}"`];
  let requests = 0;
  for (const line of Buffer.from(body).toString().split('\n')) {
    if (!line.startsWith('apiserver_request_total{') || !labels.every((label) => line.includes(label)))
      continue;
    requests += Number(line.slice(line.lastIndexOf(' ') + 1)) || 0;
  }
  return requests;
}
