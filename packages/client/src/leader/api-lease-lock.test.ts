import { LeaderElector, type LeaderElectorOptions } from '@instar/serving';
import { eventually, FakeClock } from '@instar/testing';
import { EmbeddedApi } from '@instar/testing/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KubeClient } from '../kube-client.ts';
import { ApiLeaseLock, type Lease } from './api-lease-lock.ts';

let server: EmbeddedApi;
let client: KubeClient;

beforeAll(async () => {
  server = await EmbeddedApi.start();
  client = server.client();
});
afterAll(() => server.close());

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
const FAST = { leaseDurationMs: 1000, renewDeadlineMs: 500, retryPeriodMs: 20 };
const lockOf = (name: string, api: ConstructorParameters<typeof ApiLeaseLock>[0] = client) =>
  new ApiLeaseLock(api, { namespace: 'default', name });
const leaseOf = (name: string): Promise<Lease> =>
  client.get<Lease>({
    group: 'coordination.k8s.io',
    version: 'v1',
    resource: 'leases',
    namespace: 'default',
    name,
  });

function candidate(name: string, identity: string, options: Partial<LeaderElectorOptions> = {}) {
  const stop = new AbortController();
  const led: string[] = [];
  const lead = async (signal: AbortSignal): Promise<void> => {
    led.push('begins');
    await untilAborted(signal);
    led.push('ends');
  };
  const elector = new LeaderElector(lockOf(name), { ...FAST, identity, lead, ...options });
  return { elector, led, stop, ended: elector.run(stop.signal) };
}

describe('leader election over an API', () => {
  it('lets one of several lead until it stops, then the next', async () => {
    const seen: string[] = [];
    const candidates = ['a', 'b', 'c'].map((identity) =>
      candidate('several', identity, { onNewLeader: (leader) => seen.push(`${identity}: ${leader}`) }),
    );
    await eventually(
      'a leader that all candidates know',
      () => candidates.some(({ elector }) => elector.isLeader) && seen.length === 3,
    );
    expect(candidates.filter(({ elector }) => elector.isLeader)).toHaveLength(1);
    const first = candidates.find(({ elector }) => elector.isLeader)!;
    first.stop.abort();
    expect(await first.ended).toBe('stopped');
    expect(first.led).toEqual(['begins', 'ends']);
    await eventually('another candidate to lead', () =>
      candidates.some((other) => other !== first && other.elector.isLeader),
    );
    const lease = await leaseOf('several');
    const second = candidates.find(({ elector }) => elector.isLeader)!;
    expect(lease.spec).toMatchObject({ holderIdentity: second.elector.leader, leaseDurationSeconds: 1 });
    expect(lease.spec!.leaseTransitions).toBeGreaterThan(0);
    for (const { stop } of candidates) stop.abort();
    await Promise.all(candidates.map(({ ended }) => ended));
    expect((await leaseOf('several')).spec!.holderIdentity).toBe('');
  });

  it('takes over the lease of a dead candidate after it has expired', async () => {
    const spec = { holderIdentity: 'dead', leaseDurationSeconds: 15, leaseTransitions: 0 };
    await client.create(
      { group: 'coordination.k8s.io', version: 'v1', resource: 'leases', namespace: 'default' },
      { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'dead' }, spec },
    );
    const clock = new FakeClock();
    const { elector, stop, ended } = candidate('dead', 'alive', {
      clock,
      leaseDurationMs: 600_000,
      renewDeadlineMs: 500_000,
    });
    await eventually('the dead leader to be seen', () => elector.leader === 'dead');
    for (let second = 0; second < 14; second++) await clock.pass(1000);
    expect(elector.isLeader).toBe(false);
    await eventually('the lease to run out', async () => {
      await clock.pass(500);
      return elector.isLeader;
    });
    expect((await leaseOf('dead')).spec).toMatchObject({ holderIdentity: 'alive', leaseTransitions: 1 });
    stop.abort();
    await ended;
  });

  it('stops leading when another candidate has taken the lease', async () => {
    const { elector, led, ended } = candidate('taken', 'mine');
    await eventually('the candidate to lead', () => elector.isLeader);
    const take = { spec: { holderIdentity: 'thief', leaseDurationSeconds: 60 } };
    await client.patch(
      {
        group: 'coordination.k8s.io',
        version: 'v1',
        resource: 'leases',
        namespace: 'default',
        name: 'taken',
      },
      take,
      {
        type: 'merge',
      },
    );
    expect(await ended).toBe('lost');
    expect(led).toEqual(['begins', 'ends']);
    expect((await leaseOf('taken')).spec!.holderIdentity).toBe('thief');
  });

  it('stops leading when it cannot renew for too long', async () => {
    const own = server.client();
    const errors: unknown[] = [];
    const elector = new LeaderElector(lockOf('cut-off', own), {
      ...FAST,
      identity: 'mine',
      lead: untilAborted,
      onError: (error) => errors.push(error),
    });
    const ended = elector.run(new AbortController().signal);
    await eventually('the candidate to lead', () => elector.isLeader);
    await own.close();
    expect(await ended).toBe('lost');
    expect(errors.length).toBeGreaterThan(0);
  });

  it('stops leading in time even if an attempt to renew hangs', async () => {
    const errors: unknown[] = [];
    let isStuck = false;
    const stuck = (signal: AbortSignal): Promise<never> =>
      new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
      );
    const api: ConstructorParameters<typeof ApiLeaseLock>[0] = {
      get: (ref, options) => (isStuck ? stuck(options!.signal!) : client.get(ref, options)),
      create: (ref, object, options) => client.create(ref, object, options),
      replace: (ref, object, options) => client.replace(ref, object, options),
    };
    const own = {
      ...FAST,
      identity: 'mine',
      lead: untilAborted,
      onError: (error: unknown) => errors.push(error),
    };
    const elector = new LeaderElector(lockOf('stuck', api), own);
    const ended = elector.run(new AbortController().signal);
    await eventually('the candidate to lead', () => elector.isLeader);
    isStuck = true;
    expect(await ended).toBe('lost');
    // On a busy machine the release may time out as well.
    expect(errors[0]).toMatchObject({ message: 'the lease could not be renewed in time' });
  });

  it('resolves to "finished" when its work ends by itself', async () => {
    expect(await candidate('short', 'a', { lead: async () => undefined }).ended).toBe('finished');
  });

  it('releases the lease when its work rejects', async () => {
    const failing = async (): Promise<void> => {
      throw new Error('the work failed');
    };
    await expect(candidate('short', 'b', { lead: failing }).ended).rejects.toThrow('the work failed');
    expect((await leaseOf('short')).spec!.holderIdentity).toBe('');
  });
});
