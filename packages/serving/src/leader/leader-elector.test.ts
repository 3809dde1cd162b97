import { eventually, FakeClock } from '@instar/testing';
import { describe, expect, it } from 'vitest';
import { LeaderElector, type LeaderElectorOptions } from './leader-elector.ts';
import type { LeaseSpec } from './lease.ts';
import type { HeldLease, LeaseLock } from './lease-lock.ts';

/** A Lease in memory that several candidates share. */
class MemoryLock implements LeaseLock {
  current: HeldLease | undefined;
  isUnreachable = false;

  async read(): Promise<HeldLease | undefined> {
    if (this.isUnreachable) throw new Error('unreachable');
    return this.current;
  }

  async write(spec: LeaseSpec, previous: HeldLease | undefined): Promise<HeldLease | undefined> {
    if (this.isUnreachable) throw new Error('unreachable');
    if (previous?.version !== this.current?.version) return undefined;
    this.current = { version: String(Number(this.current?.version ?? 0) + 1), spec };
    return this.current;
  }
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
const TIMES = { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2_000 };

function candidate(lock: MemoryLock, identity: string, options: Partial<LeaderElectorOptions> = {}) {
  const stop = new AbortController();
  const clock = new FakeClock();
  const elector = new LeaderElector(lock, { ...TIMES, identity, clock, lead: untilAborted, ...options });
  return { elector, clock, stop, ended: elector.run(stop.signal) };
}

describe('a leader elector', () => {
  it('leads immediately if there is no lease, which it releases when it stops', async () => {
    const lock = new MemoryLock();
    const { elector, stop, ended } = candidate(lock, 'a');
    await eventually('a leader', () => elector.isLeader);
    expect(lock.current!.spec).toMatchObject({
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      leaseTransitions: 0,
    });
    stop.abort();
    expect(await ended).toBe('stopped');
    expect(lock.current!.spec.holderIdentity).toBe('');
  });

  it('takes over a lease that has not changed for its duration by its own clock', async () => {
    const lock = new MemoryLock();
    lock.current = { version: '7', spec: { holderIdentity: 'dead', leaseDurationSeconds: 15 } };
    let failed = 0;
    const { elector, clock, stop, ended } = candidate(lock, 'b', { onStandby: () => failed++ });
    await clock.pass(14_000);
    expect([elector.isLeader, elector.leader, failed > 5]).toEqual([false, 'dead', true]);
    await clock.pass(4_000);
    expect(elector.isLeader).toBe(true);
    expect(lock.current!.spec.leaseTransitions).toBe(1);
    stop.abort();
    await ended;
  });

  it('lets one of two concurrent candidates lead', async () => {
    const lock = new MemoryLock();
    const both = [candidate(lock, 'a'), candidate(lock, 'b')];
    await eventually('a leader', () => both.some(({ elector }) => elector.isLeader));
    expect(both.filter(({ elector }) => elector.isLeader)).toHaveLength(1);
    for (const { stop } of both) stop.abort();
    await Promise.all(both.map(({ ended }) => ended));
  });

  it('stops leading with an error when it could not renew for too long', async () => {
    const lock = new MemoryLock();
    const errors: unknown[] = [];
    const { elector, clock, ended } = candidate(lock, 'a', { onError: (error) => errors.push(error) });
    await eventually('a leader', () => elector.isLeader);
    lock.isUnreachable = true;
    await clock.pass(9_000);
    expect(elector.isLeader).toBe(true);
    await clock.pass(3_000);
    expect(await ended).toBe('lost');
    expect(errors).toContainEqual(new Error('unreachable'));
  });

  it('refuses periods that cannot work', () => {
    const options = { ...TIMES, identity: 'i', lead: untilAborted };
    const lock = new MemoryLock();
    expect(() => new LeaderElector(lock, { ...options, renewDeadlineMs: 15_000 })).toThrow(RangeError);
    expect(() => new LeaderElector(lock, { ...options, retryPeriodMs: 9_999 })).toThrow(RangeError);
  });
});
