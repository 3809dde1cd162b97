// Of several servers over one store, one leads. Each tries to become the leader for as long as it runs, and
// again after it has lost the lease. What the leader does is not known here.
import { hostname } from 'node:os';
import { BACKGROUND_CLOCK, type ElectionTimes, LeaderElector, type Log } from '@instar/serving';
import type { Resource } from '../../objects/resource.ts';
import { StoredLeaseLock } from './stored-lease-lock.ts';

/** Shorter than client-go's: every server is near its store. */
const TIMES: ElectionTimes = { leaseDurationMs: 8_000, retryPeriodMs: 2_000, renewDeadlineMs: 5_000 };

interface LeaderElectionOptions {
  readonly leases: Resource;
  readonly log: Log;
  readonly times?: ElectionTimes;
  /** This server leads from now on; both must not reject. */
  readonly onLead: () => Promise<void>;
  readonly onFollow: () => Promise<void>;
}

const LEASE_NAME = { namespace: 'kube-system', name: 'instar-controllers' };

export class LeaderElection {
  readonly #options: LeaderElectionOptions;
  readonly #identity = `${hostname()}_${crypto.randomUUID()}`;
  readonly #stopped = new AbortController();
  #leads = false;
  #ended: Promise<void> = Promise.resolve();

  constructor(options: LeaderElectionOptions) {
    this.#options = options;
  }

  get leads(): boolean {
    return this.#leads;
  }

  /** Resolves after the first attempt: a server that is alone leads then. */
  start(): Promise<void> {
    return new Promise((tried) => {
      this.#ended = this.#run(tried);
    });
  }

  /** Stops the work, then releases the lease, so that the next leader need not wait until it expires. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#ended;
  }

  async #run(tried: () => void): Promise<void> {
    const { leases, log, times = TIMES } = this.#options;
    const lock = new StoredLeaseLock(leases, LEASE_NAME, this.#identity);
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      const elector = new LeaderElector(lock, {
        ...times,
        identity: this.#identity,
        clock: BACKGROUND_CLOCK,
        lead: (term) => this.#lead(term, tried),
        onStandby: tried,
        onError: (error) => log.debug({ err: error }, 'the lease of the controllers could not be acquired'),
      });
      await elector.run(signal);
    }
    tried();
  }

  async #lead(term: AbortSignal, tried: () => void): Promise<void> {
    const { log, onLead, onFollow } = this.#options;
    this.#leads = true;
    log.info({ identity: this.#identity }, 'this server is the leader: its controllers run');
    await onLead();
    tried();
    if (!term.aborted)
      await new Promise((resolve) => term.addEventListener('abort', resolve, { once: true }));
    this.#leads = false;
    if (!this.#stopped.signal.aborted)
      log.warn({ identity: this.#identity }, 'this server is no longer the leader: its controllers stop');
    await onFollow();
  }
}
