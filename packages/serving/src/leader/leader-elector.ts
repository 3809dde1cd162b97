// Leader election by the rules of client-go: the candidate that holds the Lease and keeps renewing it leads.
// Clocks of different machines are not compared: a lease has expired when it has not changed for its duration
// by the local clock.
import { type Clock, REAL_CLOCK, sleep } from '../time/clock.ts';
import { heldSpec, releasedSpec } from './lease.ts';
import type { HeldLease, LeaseLock } from './lease-lock.ts';

/** The defaults are those of client-go. */
export interface ElectionTimes {
  /** Other candidates wait this long after the last renewal; 15 s. */
  readonly leaseDurationMs?: number;
  /** The leader stops when it could not renew for this long; 10 s. */
  readonly renewDeadlineMs?: number;
  /** The pause between attempts; 2 s. */
  readonly retryPeriodMs?: number;
}

/** Who the candidate is, and what it runs while it leads. */
export interface LeaderElectorOptions extends ElectionTimes {
  /** Different for every candidate. */
  readonly identity: string;
  /** Runs while this candidate leads; must end soon after its signal aborts. */
  readonly lead: (signal: AbortSignal) => Promise<void>;
  readonly onNewLeader?: (identity: string) => void;
  /** Called after every failed attempt to acquire the lease. */
  readonly onStandby?: () => void;
  /** Called if an attempt fails for another reason than that another candidate leads. */
  readonly onError?: (error: unknown) => void;
  readonly clock?: Clock;
  readonly random?: () => number;
}

const ACQUIRE_JITTER = 1.2;

/** Competes for a lease and leads while it holds it, by client-go's rules. */
export class LeaderElector<T extends HeldLease = HeldLease> {
  readonly #lock: LeaseLock<T>;
  readonly #options: Required<ElectionTimes> & LeaderElectorOptions;
  readonly #clock: Clock;
  #observed: T | undefined;
  #observedAt = 0;
  /** When the last successful renewal was sent: others cannot have seen it earlier. */
  #renewedAt = 0;
  #reported = '';
  #leading = false;

  constructor(lock: LeaseLock<T>, options: LeaderElectorOptions) {
    this.#lock = lock;
    this.#options = { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2_000, ...options };
    const { leaseDurationMs, renewDeadlineMs, retryPeriodMs } = this.#options;
    if (leaseDurationMs <= renewDeadlineMs || renewDeadlineMs <= retryPeriodMs * ACQUIRE_JITTER)
      throw new RangeError(
        'a lease must last longer than its renewal may take, and that longer than the pause between attempts',
      );
    this.#clock = options.clock ?? REAL_CLOCK;
  }

  get isLeader(): boolean {
    return this.#leading;
  }

  /** The last observed leader; empty if none. */
  get leader(): string {
    return this.#observed?.spec.holderIdentity ?? '';
  }

  /**
   * Runs until the signal aborts (`stopped`), the lease is lost (`lost`), or `lead` ends by itself
   * (`finished`). Rejects if `lead` does.
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
      // The lease is released only after the work has ended: no other candidate must begin before.
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
      if (await this.#tryAcquireOrRenew(signal)) return true;
      this.#options.onStandby?.();
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

  /** An attempt that hangs, or that the server defers, must not outlast the lease: after it, others lead. */
  async #tryUntil(end: number, signal: AbortSignal): Promise<boolean> {
    const attempt = new AbortController();
    const onAbort = (): void => attempt.abort(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const late = new Error('the lease could not be renewed in time');
    const cancel = this.#clock.after(Math.max(end - this.#clock.now(), 0), () => attempt.abort(late));
    try {
      return await this.#tryAcquireOrRenew(signal, attempt.signal);
    } finally {
      cancel();
      signal.removeEventListener('abort', onAbort);
    }
  }

  async #tryAcquireOrRenew(signal: AbortSignal, attempt = signal): Promise<boolean> {
    try {
      const held = await this.#acquireOrRenew(attempt);
      this.#report();
      return held;
    } catch (error) {
      if (!signal.aborted) this.#options.onError?.(error);
      return false;
    }
  }

  async #acquireOrRenew(signal: AbortSignal): Promise<boolean> {
    const { identity, leaseDurationMs, renewDeadlineMs } = this.#options;
    const call = { signal, timeoutMs: renewDeadlineMs };
    const current = await this.#lock.read(call);
    if (current !== undefined) this.#observe(current);
    if (current !== undefined && this.#otherHolds()) return false;
    const now = this.#clock.now();
    const spec = heldSpec(current?.spec, identity, leaseDurationMs, now);
    const written = await this.#lock.write(spec, current, call);
    if (written === undefined) return false;
    this.#observe(written);
    this.#renewedAt = now;
    return true;
  }

  #observe(lease: T): void {
    if (this.#observed?.version === lease.version) return;
    this.#observed = lease;
    this.#observedAt = this.#clock.now();
  }

  #otherHolds(): boolean {
    const { leader } = this;
    if (leader === '' || leader === this.#options.identity) return false;
    const seconds = this.#observed?.spec.leaseDurationSeconds ?? this.#options.leaseDurationMs / 1000;
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
    if (held === undefined || this.leader !== this.#options.identity) return;
    try {
      const released = await this.#lock.write(releasedSpec(held.spec, this.#clock.now()), held, {
        timeoutMs: this.#options.retryPeriodMs,
      });
      if (released !== undefined) this.#observe(released);
    } catch (error) {
      this.#options.onError?.(error);
    }
  }
}
