// A Lease in the server's own storage, as the lock that a leader elector competes for. It is read from the
// cache, which may be behind, so a write checks the stored state.
import { ApiError, apiErrors, type KubeObject } from '@instar/machinery';
import type { HeldLease, LeaseCall, LeaseLock, LeaseSpec } from '@instar/serving';
import type { Resource } from '../../objects/resource.ts';
import { updateObject } from '../../objects/write/update.ts';
import { internalWrite } from './internal-writes.ts';

interface LeaseName {
  readonly namespace: string;
  readonly name: string;
}

export class StoredLeaseLock implements LeaseLock {
  readonly #leases: Resource;
  readonly #leaseName: LeaseName;
  readonly #identity: string;

  constructor(leases: Resource, leaseName: LeaseName, identity: string) {
    this.#leases = leases;
    this.#leaseName = leaseName;
    this.#identity = identity;
  }

  async read(call: LeaseCall): Promise<HeldLease | undefined> {
    const { cache } = this.#leases;
    await inTime(Promise.resolve(cache.waitUntilStarted()), call);
    const cached = cache.get(this.#leases.key(this.#leaseName.namespace, this.#leaseName.name));
    return cached && { version: String(cached.revision), spec: specOf(cached.parse()) };
  }

  async write(
    spec: LeaseSpec,
    previous: HeldLease | undefined,
    call: LeaseCall,
  ): Promise<HeldLease | undefined> {
    try {
      return await inTime(this.#write(spec, previous), call);
    } catch (error) {
      if (error instanceof ApiError && error.reason === 'Conflict') return undefined;
      throw error;
    }
  }

  async #write(spec: LeaseSpec, previous: HeldLease | undefined): Promise<HeldLease> {
    const write = internalWrite({ resource: this.#leases, ...this.#leaseName });
    const next = async (live: KubeObject | undefined): Promise<KubeObject> => {
      if (live !== undefined && this.#isTaken(live, previous)) throw this.#conflict();
      return {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: live === undefined ? { ...this.#leaseName } : { ...live.metadata },
        spec: spec as KubeObject['spec'],
      };
    };
    const { cached } = await updateObject(write, { next, mayCreate: true, options: {} });
    return { version: String(cached?.revision ?? ''), spec };
  }

  /** True if another candidate has acquired the lease and the cache does not have that yet. */
  #isTaken(live: KubeObject, previous: HeldLease | undefined): boolean {
    const { holderIdentity = '' } = specOf(live);
    const isHeldByOther = holderIdentity !== '' && holderIdentity !== this.#identity;
    return isHeldByOther && live.metadata.resourceVersion !== previous?.version;
  }

  #conflict(): ApiError {
    return apiErrors.conflict(this.#leases.groupResource, this.#leaseName.name, 'another server holds it');
  }
}

const specOf = (lease: KubeObject): LeaseSpec => (lease['spec'] ?? {}) as LeaseSpec;

/** Writes cannot be aborted: one that is late is abandoned. */
async function inTime<T>(work: Promise<T>, { signal, timeoutMs }: LeaseCall): Promise<T> {
  const end = new AbortController();
  const late = new Promise<never>((_, reject) => {
    const fail = (error: unknown): void => reject(error);
    const timer = setTimeout(() => fail(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs).unref();
    end.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
    if (signal?.aborted) fail(signal.reason);
    signal?.addEventListener('abort', () => fail(signal.reason), { once: true, signal: end.signal });
  });
  return Promise.race([work, late]).finally(() => end.abort());
}
