// The spec that candidates write into a Lease. Without I/O.
import { printMicroTime } from '@instar/go';

/** `spec` of a Lease. */
export interface LeaseSpec {
  holderIdentity?: string;
  leaseDurationSeconds?: number;
  acquireTime?: string;
  renewTime?: string;
  leaseTransitions?: number;
}

/** The spec with which `identity` acquires or renews the lease. */
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

/** The spec of a released lease, as client-go writes it: the next candidate need not wait. */
export function releasedSpec(previous: LeaseSpec, now: number): LeaseSpec {
  return {
    holderIdentity: '',
    leaseDurationSeconds: 1,
    acquireTime: printMicroTime(now),
    renewTime: printMicroTime(now),
    leaseTransitions: previous.leaseTransitions ?? 0,
  };
}
