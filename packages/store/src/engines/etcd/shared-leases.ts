// Leases for entries that expire. One lease serves all entries with about the same end, as in kube-apiserver:
// a separate lease for every event would cost etcd more than the event.
import type { EtcdClient } from './etcd-client.ts';

interface Lease {
  readonly id: number;
  readonly sharedUntil: number;
  users: number;
}

/** Entries may live longer by this part of their time, and no longer than this. */
const SHARE = 0.05;
const MAX_SHARE_SECONDS = 60;
const MAX_USERS = 1_000;

export class SharedLeases {
  readonly #client: EtcdClient;
  readonly #leases = new Map<number, Promise<Lease>>();

  constructor(client: EtcdClient) {
    this.#client = client;
  }

  /** The id of a lease that ends in `ttlSeconds` or a little later. */
  async leaseFor(ttlSeconds: number): Promise<number> {
    const known = await this.#leases.get(ttlSeconds)?.catch(() => undefined);
    if (known !== undefined && known.users < MAX_USERS && Date.now() < known.sharedUntil) return use(known);
    const granted = this.#grant(ttlSeconds);
    this.#leases.set(ttlSeconds, granted);
    granted.catch(() => this.#leases.delete(ttlSeconds));
    return use(await granted);
  }

  /** A lease that etcd no longer knows (it was revoked manually) is useless to the next entry too. */
  forget(): void {
    this.#leases.clear();
  }

  async #grant(ttlSeconds: number): Promise<Lease> {
    const shareSeconds = Math.min(ttlSeconds * SHARE, MAX_SHARE_SECONDS);
    const id = 1 + Math.floor(Math.random() * 2 ** 52);
    const sharedUntil = Date.now() + shareSeconds * 1000;
    await this.#client.grantLease(id, Math.ceil(ttlSeconds + shareSeconds));
    return { id, sharedUntil, users: 0 };
  }
}

function use(lease: Lease): number {
  lease.users++;
  return lease.id;
}
