// A Lease behind an API, as the lock that a leader elector competes for.
import { ApiError, type KubeObject } from '@instar/machinery';
import type { HeldLease, LeaseCall, LeaseLock, LeaseSpec } from '@instar/serving';
import type { KubeApi } from '../kube-api.ts';
import type { ResourceRef } from '../resource-ref.ts';

export type Lease = KubeObject & { spec?: LeaseSpec };

interface ApiLease extends HeldLease {
  readonly lease: Lease;
}

type LeaseApi = Pick<KubeApi, 'get' | 'create' | 'replace'>;

/** A Lease of an API server as the lock for leader election. */
export class ApiLeaseLock implements LeaseLock<ApiLease> {
  readonly #api: LeaseApi;
  readonly #ref: ResourceRef;

  constructor(api: LeaseApi, lease: { readonly namespace: string; readonly name: string }) {
    this.#api = api;
    this.#ref = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases', ...lease };
  }

  async read(call: LeaseCall): Promise<ApiLease | undefined> {
    return heldLease(await unless(404, this.#api.get<Lease>(this.#ref, call)));
  }

  /** Conditional on the resourceVersion that was read. */
  async write(
    spec: LeaseSpec,
    previous: ApiLease | undefined,
    call: LeaseCall,
  ): Promise<ApiLease | undefined> {
    if (previous === undefined) return heldLease(await unless(409, this.#create(spec, call)));
    const { lease } = previous;
    const next = { ...lease, spec: { ...lease.spec, ...spec } };
    return heldLease(await unless(409, this.#api.replace<Lease>(this.#ref, next, call)));
  }

  #create(spec: LeaseSpec, call: LeaseCall): Promise<Lease> {
    const { namespace, name } = this.#ref;
    const lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { namespace, name },
      spec,
    };
    return this.#api.create<Lease>(this.#ref, lease as Lease, call);
  }
}

const heldLease = (lease: Lease | undefined): ApiLease | undefined =>
  lease && { version: lease.metadata.resourceVersion ?? '', spec: lease.spec ?? {}, lease };

/** Undefined if the server answers with that code. */
const unless = <T>(code: number, answer: Promise<T>): Promise<T | undefined> =>
  answer.catch((error: unknown) => {
    if (error instanceof ApiError && error.code === code) return undefined;
    throw error;
  });
