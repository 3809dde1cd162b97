// The Lease that candidates compete for, behind an API or in the server's own store.
import type { LeaseSpec } from './lease.ts';

export interface HeldLease {
  /** Changes with every write. */
  readonly version: string;
  readonly spec: LeaseSpec;
}

export interface LeaseCall {
  readonly signal?: AbortSignal;
  readonly timeoutMs: number;
}

export interface LeaseLock<T extends HeldLease = HeldLease> {
  /** Undefined if there is none yet. */
  read(call: LeaseCall): Promise<T | undefined>;
  /** Undefined if another candidate has written since `previous` was read. */
  write(spec: LeaseSpec, previous: T | undefined, call: LeaseCall): Promise<T | undefined>;
}
