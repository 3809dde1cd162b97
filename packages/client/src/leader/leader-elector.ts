// Of several that could, one leads: whoever holds the Lease and keeps renewing it, by the rules of client-go.
// Clocks of different machines are not compared: a lease is over when it has not changed for its duration by
// our own clock.
import { ApiError } from '@instar/machinery';
import { type Clock, REAL_CLOCK, sleep } from '../clock.ts';
import { ConnectionError } from '../connection-error.ts';
import type { KubeApi } from '../kube-api.ts';
import type { ResourceRef } from '../resource-ref.ts';
import { heldSpec, holderOf, type Lease, type LeaseSpec, releasedSpec } from './lease.ts';

export interface LeaderElectorOptions {
  readonly namespace: string;
  readonly name: string;
  /** Different for every candidate. */
  readonly identity: string;
  /** Others wait this long after the last renewal; 15 s. */
  readonly leaseDurationMs?: number;
  /** The leader gives up when it could not renew for this long; 10 s. */
  readonly renewDeadlineMs?: number;
  /** Between attempts; 2 s. */
  readonly retryPeriodMs?: number;
  /** Runs while this candidate leads; must end soon after its signal aborts. */
  readonly lead: (signal: AbortSignal) => Promise<void>;
  readonly onNewLeader?: (identity: string) => void;
  /** Attempts that failed for other reasons than that another one leads. */
  readonly onError?: (error: unknown) => void;
  readonly clock?: Clock;
  readonly random?: () => number;
}

const ACQUIRE_JITTER = 1.2;

export class LeaderElector {
  readonly #api: Pick<KubeApi, 'get' | 'create' | 'replace'>;
  readonly #options: Required<
    Pick<LeaderElectorOptions, 'leaseDurationMs' | 'renewDeadlineMs' | 'retryPeriodMs'>
  > &
    LeaderElectorOptions;
  readonly #clock: Clock;
  readonly #ref: ResourceRef;
  #observed: Lease | undefined;
  #observedAt = 0;
  /** When the last renewal that went well was sent: others cannot have seen it earlier. */
  #renewedAt = 0;
  #reported = '';
  #leading = false;

  constructor(api: Pick<KubeApi, 'get' | 'create' | 'replace'>, options: LeaderElectorOptions) {
    this.#api = api;
    this.#options = { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2_000, ...options };
    const { leaseDurationMs, renewDeadlineMs, retryPeriodMs, namespace, name } = this.#options;
    if (leaseDurationMs <= renewDeadlineMs || renewDeadlineMs <= retryPeriodMs * ACQUIRE_JITTER)
      throw new RangeError(
        'a lease must last longer than its renewal may take, and that longer than the pause between attempts',
      );
    this.#clock = options.clock ?? REAL_CLOCK;
    this.#ref = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases', namespace, name };
  }

  get isLeader(): boolean {
    return this.#leading;
  }

  /** The one that leads now, as far as we know; empty if none. */
  get leader(): string {
    return holderOf(this.#observed);
  }

  /**
   * Until the signal aborts (`stopped`), the lease was lost (`lost`), or what leads ended by itself
   * (`finished`). Rejects as `lead` does.
   */
  async run(signal: AbortSignal): Promise<'stopped' | 'lost' | 'finished'> {
    if (!(await this.#acquire(signal))) return 'stopped';
    this.#leading = true;
    const term = new AbortController();
    const onAbort = (): void => term.abort(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    const leading = this.#options.lead(term.signal);
    const finished = leading.then(
      () => term.abort(),
      () => term.abort(),
    );
    try {
      const lost = await this.#renewUntilLost(term.signal);
      term.abort();
      // The lease is given up only after the work has ended: nobody else must begin before.
      await leading;
      return lost ? 'lost' : signal.aborted ? 'stopped' : 'finished';
    } finally {
      await finished;
      signal.removeEventListener('abort', onAbort);
      this.#leading = false;
      await this.#release();
    }
  }

  async #acquire(signal: AbortSignal): Promise<boolean> {
    const { retryPeriodMs, random = Math.random } = this.#options;
    while (!signal.aborted) {
      if (await this.#tryToHold(signal)) return true;
      await sleep(this.#clock, retryPeriodMs * (1 + (ACQUIRE_JITTER - 1) * random()), signal).catch(
        () => undefined,
      );
    }
    return false;
  }

  /** True if it was lost; false if the signal aborted first. */
  async #renewUntilLost(signal: AbortSignal): Promise<boolean> {
    const { retryPeriodMs, renewDeadlineMs } = this.#options;
    while (!signal.aborted) {
      await sleep(this.#clock, retryPeriodMs, signal).catch(() => undefined);
      if (signal.aborted) return false;
      if (await this.#tryUntil(this.#renewedAt + renewDeadlineMs, signal)) continue;
      if (this.#otherHolds() || this.#clock.now() - this.#renewedAt >= renewDeadlineMs)
        return !signal.aborted;
    }
    return false;
  }

  /**
   * An attempt that hangs, or that the server wants to be made later, must not outlast the lease: others lead
   * from then on.
   */
  async #tryUntil(end: number, signal: AbortSignal): Promise<boolean> {
    const attempt = new AbortController();
    const onAbort = (): void => attempt.abort(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const late = new ConnectionError('timeout', 'the lease could not be renewed in time');
    const cancel = this.#clock.after(Math.max(end - this.#clock.now(), 0), () => attempt.abort(late));
    try {
      return await this.#tryToHold(signal, attempt.signal);
    } finally {
      cancel();
      signal.removeEventListener('abort', onAbort);
    }
  }

  async #tryToHold(signal: AbortSignal, attempt = signal): Promise<boolean> {
    try {
      const held = await this.#holdOrLook(attempt);
      this.#report();
      return held;
    } catch (error) {
      if (!signal.aborted && !(error instanceof ApiError && error.code === 409))
        this.#options.onError?.(error);
      return false;
    }
  }

  async #holdOrLook(signal: AbortSignal): Promise<boolean> {
    const call = { signal, timeoutMs: this.#options.renewDeadlineMs };
    const current = await this.#api.get<Lease>(this.#ref, call).catch((error) => {
      if (error instanceof ApiError && error.code === 404) return undefined;
      throw error;
    });
    if (current !== undefined) this.#observe(current);
    if (current !== undefined && this.#otherHolds()) return false;
    const now = this.#clock.now();
    const spec = heldSpec(current?.spec, this.#options.identity, this.#options.leaseDurationMs, now);
    this.#observe(
      current === undefined ? await this.#create(spec, call) : await this.#replace(current, spec, call),
    );
    this.#renewedAt = now;
    return true;
  }

  #create(spec: LeaseSpec, call: { signal: AbortSignal; timeoutMs: number }): Promise<Lease> {
    const { namespace, name } = this.#options;
    const lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { namespace, name },
      spec,
    };
    return this.#api.create<Lease>(this.#ref, lease, call);
  }

  /** The revision that was read goes along, so that of two that try at once one is refused. */
  #replace(
    current: Lease,
    spec: LeaseSpec,
    call: { signal?: AbortSignal; timeoutMs: number },
  ): Promise<Lease> {
    return this.#api.replace<Lease>(this.#ref, { ...current, spec: { ...current.spec, ...spec } }, call);
  }

  #observe(lease: Lease): void {
    if (this.#observed?.metadata.resourceVersion === lease.metadata.resourceVersion) return;
    this.#observed = lease;
    this.#observedAt = this.#clock.now();
  }

  #otherHolds(): boolean {
    const holder = holderOf(this.#observed);
    if (holder === '' || holder === this.#options.identity) return false;
    const seconds = this.#observed?.spec?.leaseDurationSeconds ?? this.#options.leaseDurationMs / 1000;
    return this.#observedAt + seconds * 1000 > this.#clock.now();
  }

  #report(): void {
    const { leader } = this;
    if (leader === this.#reported) return;
    this.#reported = leader;
    if (leader !== '') this.#options.onNewLeader?.(leader);
  }

  async #release(): Promise<void> {
    const held = this.#observed;
    if (held === undefined || holderOf(held) !== this.#options.identity) return;
    try {
      this.#observe(
        await this.#replace(held, releasedSpec(held.spec ?? {}, this.#clock.now()), {
          timeoutMs: this.#options.retryPeriodMs,
        }),
      );
    } catch (error) {
      this.#options.onError?.(error);
    }
  }
}
