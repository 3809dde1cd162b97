// The subresources of pods that connect with a kubelet: log, exec, attach, port-forward, proxy. There is no
// kubelet here, so that the answers are those that kube-apiserver gives before it connects, and that the node
// cannot be reached.
import { isGlobalUnicast, parseIp } from '@instar/go';
import { apiErrors, type FieldError, fieldErrors } from '@instar/machinery';
import type { DeclaredSubresource, SubresourceCall } from '../../../objects/subresource.ts';
import type { ApiResponse } from '../../../wire/exchange.ts';
import type { Pod } from '../../validate/pod/pod-types.ts';

const KUBELET_PORT = 10250;

function checkContainer({ metadata, spec }: Pod, container: string): void {
  const all = [...(spec.initContainers ?? []), ...spec.containers, ...(spec.ephemeralContainers ?? [])];
  const names = all.map(({ name }) => name);
  if (container === '' && spec.containers.length > 1) {
    const which = `[${names.join(' ')}]`;
    throw apiErrors.badRequest(
      `a container name must be specified for pod ${metadata.name}, choose one of: ${which}`,
    );
  }
  if (container !== '' && !names.includes(container))
    throw apiErrors.badRequest(`container ${container} is not valid for pod ${metadata.name}`);
}

/** Always throws: nothing listens there. */
async function reachNode(call: SubresourceCall, nodeName: string): Promise<never> {
  const node = await call.find('', 'nodes', '', nodeName);
  // As upstream, which takes the error for one about the pod.
  if (node === undefined) throw apiErrors.notFound({ group: '', resource: 'pods' }, nodeName);
  const { addresses = [] } = (node['status'] ?? {}) as { addresses?: { address: string }[] };
  const [first] = addresses;
  const message =
    first === undefined
      ? 'no preferred addresses found; known addresses: []'
      : `dial tcp ${first.address}:${KUBELET_PORT}: connect: connection refused`;
  throw apiErrors.raw({ code: 500, message });
}

async function log(call: SubresourceCall): Promise<ApiResponse> {
  const { query } = call.request;
  const errors = validateLogOptions(query);
  if (errors.length > 0) throw apiErrors.invalid({ group: '', kind: 'PodLogOptions' }, call.name, errors);
  const pod = (await call.read()) as Pod;
  checkContainer(pod, query.get('container') ?? '');
  if (!pod.spec.nodeName) return { status: 204, headers: {}, body: new Uint8Array(0) };
  return reachNode(call, pod.spec.nodeName);
}

function validateLogOptions(query: URLSearchParams): FieldError[] {
  const errors: FieldError[] = [];
  const number = (name: string): number | undefined => {
    const text = query.get(name);
    return text === null || text === '' ? undefined : Number(text);
  };
  const atLeast = (name: string, least: number, why: string): void => {
    const value = number(name);
    if (value !== undefined && value < least) errors.push(fieldErrors.invalid(name, value, why));
  };
  atLeast('tailLines', 0, 'must be greater than or equal to 0');
  atLeast('limitBytes', 1, 'must be greater than 0');
  if (number('sinceSeconds') !== undefined && query.get('sinceTime'))
    errors.push(fieldErrors.forbidden('', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  else atLeast('sinceSeconds', 1, 'must be greater than 0');
  if (query.has('stream')) errors.push(fieldErrors.forbidden('stream', 'may not be specified'));
  return errors;
}

async function stream(call: SubresourceCall, hasContainer: boolean): Promise<ApiResponse> {
  const pod = (await call.read()) as Pod;
  if (hasContainer) checkContainer(pod, call.request.query.get('container') ?? '');
  if (!pod.spec.nodeName) throw apiErrors.badRequest(`pod ${call.name} does not have a host assigned`);
  return reachNode(call, pod.spec.nodeName);
}

async function proxy(call: SubresourceCall): Promise<ApiResponse> {
  const [name, port] = call.name.split(':').slice(call.name.startsWith('http') ? 1 : 0) as [string, string?];
  const pod = (await call.find('', 'pods', call.namespace, name)) as Pod | undefined;
  if (pod === undefined) throw apiErrors.notFound({ group: '', resource: 'pods' }, name);
  const text = pod.status.podIPs?.[0]?.ip ?? '';
  const address = parseIp(text);
  if (typeof address === 'string' || !isGlobalUnicast(address))
    throw apiErrors.badRequest('address not allowed');
  const target = `${text}:${port ?? 80}`;
  throw apiErrors.serviceUnavailable(
    `error trying to reach service: dial tcp ${target}: connect: connection refused`,
  );
}

const optionsOf = (kind: string) => ({ group: '', version: 'v1', kind });
const STREAM_VERBS = ['create', 'get'];

export const podConnections: readonly DeclaredSubresource[] = [
  {
    style: 'connect',
    name: 'attach',
    verbs: STREAM_VERBS,
    kind: optionsOf('PodAttachOptions'),
    connect: (call) => stream(call, true),
  },
  {
    style: 'connect',
    name: 'exec',
    verbs: STREAM_VERBS,
    kind: optionsOf('PodExecOptions'),
    connect: (call) => stream(call, true),
  },
  { style: 'connect', name: 'log', verbs: ['get'], connect: log },
  {
    style: 'connect',
    name: 'portforward',
    verbs: STREAM_VERBS,
    kind: optionsOf('PodPortForwardOptions'),
    connect: (call) => stream(call, false),
  },
  {
    style: 'connect',
    name: 'proxy',
    verbs: ['create', 'delete', 'get', 'patch', 'update'],
    kind: optionsOf('PodProxyOptions'),
    hasPath: true,
    connect: proxy,
  },
];
