// The class of service of a pod: how much of what it may use is reserved for it.
import { compareQuantities } from '@instar/go';
import type { PodSpec, ResourceList } from './pod-types.ts';
import { addTo, quantityOf } from './resource-lists.ts';

const COMPUTE = ['cpu', 'memory'];

/** Amounts above zero of processors and memory. */
const computed = (list: ResourceList = {}): ResourceList =>
  Object.fromEntries(
    Object.entries(list).filter(
      ([name, amount]) => COMPUTE.includes(name) && quantityOf(amount).unscaled > 0n,
    ),
  );

export function qosClass(spec: PodSpec): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const requests: ResourceList = {};
  const limits: ResourceList = {};
  const parts =
    spec.resources === undefined
      ? [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ resources }) => resources)
      : [spec.resources];
  let isLimited = true;
  for (const part of parts) {
    const limited = computed(part.limits);
    addTo(requests, computed(part.requests));
    addTo(limits, limited);
    const isWhole = spec.resources !== undefined && Object.keys(part.limits ?? {}).length === 0;
    if (!isWhole && !COMPUTE.every((name) => Object.hasOwn(limited, name))) isLimited = false;
  }
  const names = Object.keys(requests);
  if (names.length === 0 && Object.keys(limits).length === 0) return 'BestEffort';
  const isGuaranteed =
    isLimited &&
    names.length === Object.keys(limits).length &&
    names.every(
      (name) =>
        Object.hasOwn(limits, name) &&
        compareQuantities(quantityOf(limits[name]), quantityOf(requests[name])) === 0,
    );
  return isGuaranteed ? 'Guaranteed' : 'Burstable';
}
