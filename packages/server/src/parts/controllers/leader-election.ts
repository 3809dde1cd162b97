// Of several servers over one store, one leads: the holder of a Lease that is renewed in time. By the rules
// of client-go: clocks of different machines are not compared; a lease is over when it has not changed for
// its duration by our own clock. What the leader does is not known here.
import { hostname } from 'node:os';
import { apiErrors, type KubeObject } from '@instar/machinery';
import type { Log } from '@instar/serving';
import type { Resource } from '../../objects/resource.ts';
import { updateObject } from '../../objects/write/update.ts';
import { internalWrite } from './internal-writes.ts';

export interface ElectionTimes {
  /** Others wait this long after the last renewal. */
  readonly leaseMs: number;
  /** Between attempts to get or to renew the lease. */
  readonly retryMs: number;
  /** The leader gives up when it could not renew for this long. */
  readonly renewDeadlineMs: number;
}

export const ELECTION_TIMES: ElectionTimes = { leaseMs: 8_000, retryMs: 2_000, renewDeadlineMs: 5_000 };

export interface LeaderElectionOptions {
  readonly leases: Resource;
  readonly log: Log;
  readonly times?: ElectionTimes;
  /** This server leads from now on; both must not reject. */
  readonly onLead: () => Promise<void>;
  readonly onFollow: () => Promise<void>;
}

const NAMESPACE = 'kube-system';
const NAME = 'instar-controllers';

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly leaseTransitions?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
}

export class LeaderElection {
  readonly #options: LeaderElectionOptions;
  readonly #times: ElectionTimes;
  readonly #identity = `${hostname()}_${crypto.randomUUID()}`;
  #observed: { readonly revision: number; readonly at: number } | undefined;
  #leads = false;
  #renewedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: LeaderElectionOptions) {
    this.#options = options;
    this.#times = options.times ?? ELECTION_TIMES;
  }

  get leads(): boolean {
    return this.#leads;
  }

  /** Resolves after the first attempt: a server that is alone leads then. */
  async start(): Promise<void> {
    this.#running = this.#round();
    await this.#running;
  }

  /** Ends the work, then gives the lease back, so that the next leader need not wait until it is over. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
    if (!this.#leads) return;
    this.#leads = false;
    await this.#options.onFollow();
    await this.#write((spec) =>
      spec.holderIdentity === this.#identity ? { ...spec, holderIdentity: '' } : spec,
    ).catch(() => undefined);
  }

  async #round(): Promise<void> {
    const hasFinalizers = await this.#tryToHold();
    if (hasFinalizers) this.#renewedAt = Date.now();
    const isOver =
      !hasFinalizers && this.#leads && Date.now() - this.#renewedAt >= this.#times.renewDeadlineMs;
    if (hasFinalizers && !this.#leads) await this.#lead();
    else if (isOver || (!hasFinalizers && this.#leads && this.#otherHolds())) await this.#follow();
    if (this.#stopped) return;
    this.#timer = setTimeout(() => (this.#running = this.#round()), this.#times.retryMs);
    this.#timer.unref();
  }

  async #lead(): Promise<void> {
    this.#leads = true;
    this.#options.log.info({ identity: this.#identity }, 'this server leads: its controllers run');
    await this.#options.onLead();
  }

  async #follow(): Promise<void> {
    this.#leads = false;
    this.#options.log.warn({ identity: this.#identity }, 'this server leads no longer: its controllers stop');
    await this.#options.onFollow();
  }

  async #tryToHold(): Promise<boolean> {
    try {
      await this.#options.leases.cache.waitUntilStarted();
      if (this.#otherHolds()) return false;
      await inTime(
        this.#write((spec) => this.#claimed(spec)),
        this.#times.renewDeadlineMs,
      );
      return true;
    } catch (error) {
      this.#options.log.debug({ err: error }, 'the lease of the controllers could not be had');
      return false;
    }
  }

  /** By what this server has seen; a lease that it saw change a moment ago is not over. */
  #otherHolds(): boolean {
    const { leases } = this.#options;
    const cached = leases.cache.get(leases.key(NAMESPACE, NAME));
    if (cached === undefined) return false;
    if (this.#observed?.revision !== cached.revision)
      this.#observed = { revision: cached.revision, at: Date.now() };
    const spec = specOf(cached.parse());
    const isOver = Date.now() - this.#observed.at >= (spec.leaseDurationSeconds ?? 0) * 1000;
    return isOthers(spec, this.#identity) && !isOver;
  }

  #claimed(spec: LeaseSpec): LeaseSpec {
    const now = microTime();
    const isOwn = spec.holderIdentity === this.#identity;
    return {
      holderIdentity: this.#identity,
      leaseDurationSeconds: Math.ceil(this.#times.leaseMs / 1000),
      acquireTime: isOwn && spec.acquireTime !== undefined ? spec.acquireTime : now,
      renewTime: now,
      leaseTransitions: (spec.leaseTransitions ?? -1) + (isOwn ? 0 : 1),
    };
  }

  /** Refuses if another has been faster than the cache could tell. */
  async #write(change: (spec: LeaseSpec) => LeaseSpec): Promise<void> {
    const write = internalWrite({ resource: this.#options.leases, namespace: NAMESPACE, name: NAME });
    const next = async (live: KubeObject | undefined): Promise<KubeObject> => {
      const revision = Number(live?.metadata.resourceVersion ?? 0);
      if (
        live !== undefined &&
        isOthers(specOf(live), this.#identity) &&
        revision !== this.#observed?.revision
      )
        throw taken();
      const metadata = live === undefined ? { namespace: NAMESPACE, name: NAME } : { ...live.metadata };
      return {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata,
        spec: change(live === undefined ? {} : specOf(live)),
      };
    };
    await updateObject(write, { next, mayCreate: true, options: {} });
  }
}

const taken = () =>
  apiErrors.conflict({ group: 'coordination.k8s.io', resource: 'leases' }, NAME, 'another server holds it');
const specOf = (lease: KubeObject): LeaseSpec => (lease['spec'] ?? {}) as LeaseSpec;
const isOthers = ({ holderIdentity = '' }: LeaseSpec, identity: string): boolean =>
  holderIdentity !== '' && holderIdentity !== identity;
const microTime = (): string => new Date().toISOString().replace('Z', '000Z');

async function inTime(work: Promise<void>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
