// What an object uses of the quotas of its namespace: how many there are of its kind, and what pods, claims
// and services use beyond that.
import type { KubeObject } from '@instar/machinery';
import { classOfClaim, type PersistentVolumeClaim } from '../../../kinds/validate/persistent-volume-claim.ts';
import type { Amounts } from '../../../kinds/validate/quantities.ts';
import type { ResourceDefinition } from '../../../objects/definition.ts';
import { addTo, type CountedPod, podAmounts } from './pod-amounts.ts';

/** Counted under their own names too, from before there was count/… */
const OLD_COUNTS: ReadonlySet<string> = new Set([
  'configmaps',
  'resourcequotas',
  'replicationcontrollers',
  'secrets',
]);
/** What each container must say if the quota limits it. */
const DEMANDED = ['cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory'];

export function usageOf(object: KubeObject, { group, names }: ResourceDefinition): Amounts {
  const { plural } = names;
  const count: Amounts = { [`count/${plural}${group === '' ? '' : `.${group}`}`]: '1' };
  if (group === 'resource.k8s.io' && plural === 'resourceclaims')
    return { ...count, ...deviceUsage(object as DeviceClaim) };
  if (group !== '') return count;
  if (plural === 'pods') return { ...count, ...podUsage(object as CountedPod) };
  if (plural === 'persistentvolumeclaims')
    return { ...count, ...claimUsage(object as PersistentVolumeClaim) };
  if (plural === 'services') return { ...count, ...serviceUsage(object as CountedService) };
  return OLD_COUNTS.has(plural) ? { ...count, [plural]: '1' } : count;
}

/** A pod that has ended uses nothing. */
function podUsage(pod: CountedPod): Amounts {
  const phase = pod.status?.phase;
  if (phase === 'Succeeded' || phase === 'Failed') return {};
  const requests = podAmounts(pod, 'requests');
  addTo(requests, pod.spec.overhead);
  return computeUsage(requests, podAmounts(pod, 'limits'));
}

function computeUsage(requests: Amounts, limits: Amounts): Amounts {
  const usage: Amounts = { pods: '1' };
  for (const [name, amount] of Object.entries(requests)) {
    const isPlain = ['cpu', 'memory', 'ephemeral-storage'].includes(name) || name.startsWith('hugepages-');
    if (isPlain) usage[name] = amount;
    if (isPlain || name.includes('/')) usage[`requests.${name}`] = amount;
  }
  for (const name of ['cpu', 'memory', 'ephemeral-storage'])
    if (Object.hasOwn(limits, name)) usage[`limits.${name}`] = limits[name]!;
  return usage;
}

function claimUsage(claim: PersistentVolumeClaim): Amounts {
  const usage: Amounts = { persistentvolumeclaims: '1' };
  const storage = claim.spec.resources.requests?.['storage'];
  if (storage !== undefined) usage['requests.storage'] = storage;
  const name = classOfClaim(claim);
  if (name === '') return usage;
  const prefix = `${name}.storageclass.storage.k8s.io/`;
  for (const [resource, amount] of Object.entries({ ...usage })) usage[prefix + resource] = amount;
  return usage;
}

interface DeviceRequest {
  deviceClassName?: string;
  allocationMode?: string;
  count?: number;
}

interface DeviceClaim extends KubeObject {
  spec: {
    devices?: { requests?: { exactly?: DeviceRequest; firstAvailable?: DeviceRequest[] }[] };
  };
}

/** How many devices a claim can get at most. */
const MAX_DEVICES = 32;

/** Of alternatives, the one that takes most devices of a class counts. */
function deviceUsage({ spec }: DeviceClaim): Amounts {
  const totals = new Map<string, number>();
  for (const { exactly, firstAvailable = [] } of spec.devices?.requests ?? []) {
    const most = new Map<string, number>();
    for (const request of exactly === undefined ? firstAvailable : [exactly]) {
      const { deviceClassName = '', allocationMode, count = 1 } = request;
      const devices = allocationMode === 'All' ? MAX_DEVICES : count;
      most.set(deviceClassName, Math.max(most.get(deviceClassName) ?? 0, devices));
    }
    for (const [name, devices] of most) totals.set(name, (totals.get(name) ?? 0) + devices);
  }
  return Object.fromEntries(
    [...totals].map(([name, devices]) => [`${name}.deviceclass.resource.k8s.io/devices`, String(devices)]),
  );
}

interface CountedService extends KubeObject {
  spec: {
    type: string;
    ports?: { nodePort?: number }[];
    allocateLoadBalancerNodePorts?: boolean;
  };
}

/** Node ports are counted by what is asked for: they are allocated later. */
function serviceUsage({ spec }: CountedService): Amounts {
  const ports = spec.ports ?? [];
  const chosen = ports.filter(({ nodePort = 0 }) => nodePort !== 0).length;
  const isBalanced = spec.type === 'LoadBalancer';
  const allocates = spec.type === 'NodePort' || isBalanced;
  const suppressed = isBalanced && spec.allocateLoadBalancerNodePorts === false;
  return {
    services: '1',
    'services.loadbalancers': isBalanced ? '1' : '0',
    'services.nodeports': String(allocates ? (suppressed ? chosen : ports.length) : 0),
  };
}

/** What the containers of a pod must say and do not, in words. */
export function missingAmounts(object: KubeObject, limited: readonly string[]): string | undefined {
  const { spec } = object as CountedPod;
  if (spec.resources !== undefined) return undefined;
  const demanded = limited.filter((name) => DEMANDED.includes(name)).sort();
  const missing = demanded.flatMap((name) => {
    const names = [...spec.containers, ...(spec.initContainers ?? [])]
      .filter(
        ({ resources }) =>
          !Object.hasOwn(computeUsage(resources?.requests ?? {}, resources?.limits ?? {}), name),
      )
      .map((container) => container.name);
    return names.length === 0 ? [] : [`${name} for: ${[...new Set(names)].sort().join(',')}`];
  });
  return missing.length === 0 ? undefined : `must specify ${missing.join('; ')}`;
}
