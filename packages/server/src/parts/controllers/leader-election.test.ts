import { type ElectionTimes, SILENT } from '@instar/serving';
import { eventually } from '@instar/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TestApi } from '../../testing/test-api.ts';
import { ElectedControllers } from './elected-controllers.ts';
import { LeaderElection } from './leader-election.ts';

const LEASE = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
const times: ElectionTimes = { leaseDurationMs: 1_000, retryPeriodMs: 20, renewDeadlineMs: 500 };

let api: TestApi;
let elections: LeaderElection[];
beforeEach(async () => {
  api = await TestApi.start();
  elections = [];
});
afterEach(async () => {
  for (const election of elections) await election.stop();
  await api.close();
});

async function candidate(told: string[] = [], name = ''): Promise<LeaderElection> {
  const election = new LeaderElection({
    leases: api.resource('coordination.k8s.io', 'leases'),
    log: SILENT,
    times,
    onLead: async () => void told.push(`${name} leads`),
    onFollow: async () => void told.push(`${name} follows`),
  });
  elections.push(election);
  await election.start();
  return election;
}
const lease = async () => (await api.ok('GET', `${LEASE}/instar-controllers`)).spec;

it('makes only the first candidate lead', async () => {
  const candidates = [await candidate(), await candidate(), await candidate()];
  expect(candidates.map(({ leads }) => leads)).toEqual([true, false, false]);
  const first = await lease();
  await eventually('the lease to be renewed', async () => (await lease()).renewTime !== first.renewTime);
  expect(await lease()).toMatchObject({
    holderIdentity: first.holderIdentity,
    leaseDurationSeconds: 1,
    leaseTransitions: 0,
  });
});

it('releases the lease immediately when the leader stops, after its work has stopped', async () => {
  const told: string[] = [];
  const first = await candidate(told, 'first');
  const second = await candidate(told, 'second');
  await first.stop();
  await eventually('the second candidate to lead', () => second.leads);
  expect(told).toEqual(['first leads', 'first follows', 'second leads']);
  expect((await lease()).leaseTransitions).toBe(1);
});

it('makes another candidate lead when the lease of a dead leader has expired', async () => {
  const spec = { holderIdentity: 'dead', leaseDurationSeconds: 1, leaseTransitions: 4 };
  await api.ok('POST', LEASE, { metadata: { name: 'instar-controllers' }, spec });
  const heir = await candidate();
  expect(heir.leads).toBe(false);
  await eventually('the heir to lead', () => heir.leads);
  expect(await lease()).toMatchObject({ leaseTransitions: 5 });
});

it('ends when another candidate has the lease', async () => {
  const told: string[] = [];
  const deposed = await candidate(told, 'first');
  const current = await api.ok('GET', `${LEASE}/instar-controllers`);
  const spec = { holderIdentity: 'usurper', leaseDurationSeconds: 3600 };
  // The leader renews meanwhile, so that this may take several attempts.
  await eventually('the lease to be taken', async () => {
    const { metadata } = await api.ok('GET', `${LEASE}/instar-controllers`);
    return (
      (await api.call('PUT', `${LEASE}/instar-controllers`, { ...current, metadata, spec })).status === 200
    );
  });
  await eventually('the deposed leader to follow', () => !deposed.leads);
  expect(told).toEqual(['first leads', 'first follows']);
  expect((await lease()).holderIdentity).toBe('usurper');
});

it('is not needed if no other server has the storage open', async () => {
  const told: string[] = [];
  const make = () => [{ start: async () => void told.push('start'), stop: () => void told.push('stop') }];
  const controllers = new ElectedControllers({ leases: undefined, log: SILENT, make });
  await controllers.start();
  await controllers.stop();
  expect(told).toEqual(['start', 'stop']);
  expect((await api.call('GET', `${LEASE}/instar-controllers`)).status).toBe(404);
});
