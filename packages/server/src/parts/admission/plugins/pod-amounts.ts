// What pods request and may use, as limits and quotas count it.
import type { KubeObject } from '@instar/machinery';
import { type Amounts, addAmounts, compareAmounts } from '../../../kinds/validate/quantities.ts';

interface CountedContainer {
  name: string;
  restartPolicy?: string;
  resources?: { requests?: Amounts; limits?: Amounts };
}

export interface CountedPod extends KubeObject {
  spec: {
    containers: CountedContainer[];
    initContainers?: CountedContainer[];
    priorityClassName?: string;
    activeDeadlineSeconds?: number;
    overhead?: Amounts;
    resources?: { requests?: Amounts; limits?: Amounts };
  };
  status?: { phase?: string };
}

type Part = 'requests' | 'limits';

/** Resources that can be set for the whole pod, and then count instead of those of its containers. */
const POD_LEVEL = ['cpu', 'memory'];

export function addTo(total: Amounts, more: Amounts | undefined): void {
  for (const [name, amount] of Object.entries(more ?? {}))
    total[name] = Object.hasOwn(total, name) ? addAmounts(total[name]!, amount) : amount;
}

function raiseTo(total: Amounts, other: Amounts): void {
  for (const [name, amount] of Object.entries(other))
    if (!Object.hasOwn(total, name) || compareAmounts(amount, total[name]) > 0) total[name] = amount;
}

/**
 * The sum of the containers that run at the same time, or what an init container needs while it runs alone,
 * whichever is more.
 */
export function podAmounts({ spec }: CountedPod, part: Part): Amounts {
  const total: Amounts = {};
  for (const { resources } of spec.containers) addTo(total, resources?.[part]);
  const sidecars: Amounts = {};
  const alone: Amounts = {};
  for (const { restartPolicy, resources } of spec.initContainers ?? []) {
    const during = { ...sidecars };
    addTo(during, resources?.[part]);
    raiseTo(alone, during);
    if (restartPolicy !== 'Always') continue;
    addTo(total, resources?.[part]);
    addTo(sidecars, resources?.[part]);
  }
  raiseTo(total, alone);
  for (const name of POD_LEVEL) {
    const own = spec.resources?.[part]?.[name];
    if (own !== undefined) total[name] = own;
  }
  return total;
}
