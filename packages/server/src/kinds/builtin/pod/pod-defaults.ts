// The defaults that pods have and templates do not.
import type { JsonObject } from '@instar/machinery';
import type { Pod, PodSpec, PodStatus, ResourceRequirements } from '../../validate/pod/pod-types.ts';
import { aggregated } from '../../validate/pod/resource-lists.ts';
import { fillInPodSpec } from './pod-spec-defaults.ts';

export function fillInPod(object: JsonObject): void {
  const { spec, status } = object as unknown as Pod;
  fillInPodSpec(spec as unknown as JsonObject);
  if (spec.terminationGracePeriodSeconds! < 0) spec.terminationGracePeriodSeconds = 1;
  for (const container of [...(spec.containers ?? []), ...(spec.initContainers ?? [])])
    requestLimits(container.resources);
  if (spec.resources !== undefined) fillInPodResources(spec, spec.resources);
  spec.enableServiceLinks ??= true;
  if (spec.hostNetwork) openHostPorts(spec);
  syncAddresses(status);
}

/** What is limited and not requested is requested in full. */
function requestLimits(resources: ResourceRequirements): void {
  for (const [name, amount] of Object.entries(resources.limits ?? {})) {
    resources.requests ??= {};
    if (!Object.hasOwn(resources.requests, name)) resources.requests[name] = amount;
  }
}

const isHugePages = (name: string): boolean => name.startsWith('hugepages-');
/** The resources that a pod may have as a whole. */
const isPodLevelResource = (name: string): boolean =>
  name === 'cpu' || name === 'memory' || isHugePages(name);

function fillInPodResources(spec: PodSpec, resources: ResourceRequirements): void {
  const { limits = {}, requests = {} } = resources;
  if (Object.keys(limits).length === 0 && Object.keys(requests).length === 0) return;
  for (const [name, amount] of Object.entries(aggregated(spec, 'limits'))) {
    if (!isHugePages(name) || Object.hasOwn(requests, name) || Object.hasOwn(limits, name)) continue;
    limits[name] = amount;
    resources.limits = limits;
  }
  if (Object.keys(limits).length === 0) return;
  const ask = (name: string, amount: string): void => {
    if (!isPodLevelResource(name) || Object.hasOwn(requests, name)) return;
    requests[name] = amount;
    resources.requests = requests;
  };
  for (const [name, amount] of Object.entries(aggregated(spec, 'requests')))
    if (!isHugePages(name)) ask(name, amount);
  for (const [name, amount] of Object.entries(limits)) ask(name, amount);
}

function openHostPorts(spec: PodSpec): void {
  for (const { ports } of [...(spec.containers ?? []), ...(spec.initContainers ?? [])])
    for (const port of ports ?? []) port.hostPort ||= port.containerPort;
}

/** The singular and the plural fields of addresses agree. */
function syncAddresses(status: PodStatus): void {
  if (status === undefined) return;
  if (status.podIP && (status.podIPs === undefined || status.podIPs[0]?.ip !== status.podIP))
    status.podIPs = [{ ip: status.podIP }];
  else if (!status.podIP && status.podIPs?.[0]?.ip) status.podIP = status.podIPs[0].ip;
}
