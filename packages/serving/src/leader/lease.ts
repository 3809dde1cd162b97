// What candidates write into a Lease. Pure.
import { printMicroTime } from '@instar/go';

export interface LeaseSpec {
  holderIdentity?: string;
  leaseDurationSeconds?: number;
  acquireTime?: string;
  renewTime?: string;
  leaseTransitions?: number;
}

/** What `identity` writes to take or to keep the lease at that moment. */
export function heldSpec(
  previous: LeaseSpec | undefined,
  identity: string,
  durationMs: number,
  now: number,
): LeaseSpec {
  const mine = previous?.holderIdentity === identity;
  const transitions = previous?.leaseTransitions ?? 0;
  return {
    holderIdentity: identity,
    leaseDurationSeconds: Math.ceil(durationMs / 1000),
    acquireTime: mine && previous.acquireTime !== undefined ? previous.acquireTime : printMicroTime(now),
    renewTime: printMicroTime(now),
    leaseTransitions: mine || previous === undefined ? transitions : transitions + 1,
  };
}

/** Given up: whoever comes next need not wait. As client-go leaves it behind. */
export function releasedSpec(previous: LeaseSpec, now: number): LeaseSpec {
  return {
    holderIdentity: '',
    leaseDurationSeconds: 1,
    acquireTime: printMicroTime(now),
    renewTime: printMicroTime(now),
    leaseTransitions: previous.leaseTransitions ?? 0,
  };
}
