// The Lease that candidates compete for, behind an API or in the server's own store.
import type { LeaseSpec } from './lease.ts';

/** A lease as it was read or written. */
export interface HeldLease {
  /** Changes with every write. */
  readonly version: string;
  readonly spec: LeaseSpec;
}

/** How long one call of a lock may take. */
export interface LeaseCall {
  readonly signal?: AbortSignal;
  readonly timeoutMs: number;
}

/** Where the lease of an election is stored. */
export interface LeaseLock<T extends HeldLease = HeldLease> {
  /** Undefined if there is none yet. */
  read(call: LeaseCall): Promise<T | undefined>;
  /** Undefined if another candidate has written since `previous` was read. */
  write(spec: LeaseSpec, previous: T | undefined, call: LeaseCall): Promise<T | undefined>;
}
