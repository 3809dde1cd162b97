// The proxies of services and nodes. There is no network behind this server: the answers are those that
// kube-apiserver gives before it connects, and that the other end cannot be reached.
import { apiErrors } from '@instar/machinery';
import type { DeclaredSubresource, SubresourceCall } from '../../objects/subresource.ts';
import type { ApiResponse } from '../../wire/exchange.ts';

const VERBS = ['create', 'delete', 'get', 'patch', 'update'];

/** "https:name:port", of which only the name is needed. */
function nameIn(text: string): string {
  const parts = text.split(':');
  return parts.length === 3 ? parts[1]! : parts[0]!;
}

async function connect(call: SubresourceCall, resource: string): Promise<ApiResponse> {
  const name = nameIn(call.name);
  if ((await call.find('', resource, call.namespace, name)) === undefined)
    throw apiErrors.notFound({ group: '', resource }, name);
  throw apiErrors.serviceUnavailable(`no endpoints available for ${resource.slice(0, -1)} "${call.name}"`);
}

/** The subresource `proxy`, with the kind of its options. */
export const proxyOf = (resource: 'nodes' | 'services', kind: string): DeclaredSubresource => ({
  style: 'connect',
  name: 'proxy',
  verbs: VERBS,
  kind: { group: '', version: 'v1', kind },
  hasPath: true,
  connect: (call) => connect(call, resource),
});
