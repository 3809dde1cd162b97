import type { KubeObject } from '@instar/machinery';
import { createLog, MetricsRegistry } from '@instar/serving';
import { eventually } from '@instar/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CONTENTS, SNAPSHOTS } from '../resources.ts';
import { CONTENT_REF, SNAPSHOT_REF, SnapshotCluster } from '../testing/snapshot-cluster.ts';
import { Labeller, type LabellerOptions } from './labeller.ts';
import { nextRecord, readRecord } from './record.ts';
import { LABELLER_NAME } from './resource-labeller.ts';

let cluster: SnapshotCluster;
const running: { stop: AbortController; ended: Promise<void> }[] = [];

beforeAll(async () => {
  cluster = await SnapshotCluster.start();
  await cluster.enter(1);
});
afterEach(() => stopAll());
afterAll(() => cluster.close());

const FAST = { leaseDurationMs: 5000, renewDeadlineMs: 4000, retryPeriodMs: 50 };

function start(options: Partial<LabellerOptions> = {}): Labeller {
  const labeller = new Labeller(cluster.client, {
    namespace: 'default',
    identity: 'one',
    election: FAST,
    ...options,
  });
  const stop = new AbortController();
  running.push({ stop, ended: labeller.run(stop.signal) });
  return labeller;
}

async function stopAll(): Promise<void> {
  for (const { stop } of running) stop.abort();
  await Promise.all(running.splice(0).map(({ ended }) => ended));
}

const labelsOf = async (ref: object, name: string): Promise<Record<string, string>> =>
  (await cluster.client.get({ ...SNAPSHOT_REF, ...ref, name })).metadata.labels ?? {};
const isLabeled = async (name: string): Promise<boolean> =>
  Object.hasOwn(await labelsOf(SNAPSHOT_REF, name), SNAPSHOTS.invalidLabel);
const content = async (name: string): Promise<KubeObject> => cluster.client.get({ ...CONTENT_REF, name });
const record = () => readRecord(cluster.client, { namespace: 'default', name: LABELLER_NAME });

describe('the labeller', () => {
  it('keeps the label on exactly the objects that are currently invalid', async () => {
    await cluster.snapshot('good', { source: { persistentVolumeClaimName: 'p' } });
    await cluster.snapshot('no-source', { source: {} });
    await cluster.snapshot('no-class', {
      source: { persistentVolumeClaimName: 'p' },
      volumeSnapshotClassName: '',
    });
    await cluster.content('half-ref', { source: { volumeHandle: 'v' }, volumeSnapshotRef: { name: 'n' } });
    const registry = new MetricsRegistry();
    start({ metrics: registry });
    await eventually(
      'invalid snapshots to be labeled',
      async () => (await isLabeled('no-source')) && (await isLabeled('no-class')),
    );
    await eventually(
      'the invalid content to be labeled',
      async () => (await content('half-ref')).metadata.labels?.[CONTENTS.invalidLabel] === '',
    );
    expect(await isLabeled('good')).toBe(false);
    expect(await labelsOf(SNAPSHOT_REF, 'no-class')).toEqual({
      'snapshot.storage.kubernetes.io/invalid-snapshot-resource': '',
    });
    await cluster.snapshot('late', {
      source: { persistentVolumeClaimName: 'p', volumeSnapshotContentName: 'c' },
    });
    await eventually('the late snapshot to be labeled', () => isLabeled('late'));
    await eventually(
      'the record to count them',
      async () => (await record())?.invalidSnapshots === 3 && (await record())?.invalidContents === 1,
    );
    expect((await record())!.cleanSince).toBeUndefined();
    expect(registry.print()).toContain('instar_snapshot_invalid_objects{resource="volumesnapshots"} 3');

    await cluster.client.patch(
      { ...SNAPSHOT_REF, name: 'no-class' },
      { spec: { volumeSnapshotClassName: null } },
      { type: 'merge' },
    );
    await eventually('the label of the snapshot to go', async () => !(await isLabeled('no-class')));
    await cluster.client.patch(
      { ...CONTENT_REF, name: 'half-ref' },
      { spec: { volumeSnapshotRef: { namespace: 'ns' } } },
      { type: 'merge' },
    );
    await eventually(
      'the label of the content to go',
      async () => (await content('half-ref')).metadata.labels?.[CONTENTS.invalidLabel] === undefined,
    );
    for (const name of ['no-source', 'late']) await cluster.client.delete({ ...SNAPSHOT_REF, name });
    await eventually('the record to be clean', async () => (await record())?.cleanSince !== undefined);
    expect(await record()).toMatchObject({ invalidSnapshots: 0, invalidContents: 0 });
  });

  it('reverts a change of the label by another client', async () => {
    await cluster.snapshot('again', { source: {} });
    start();
    await eventually('the label', () => isLabeled('again'));
    await cluster.client.patch(
      { ...SNAPSHOT_REF, name: 'again' },
      { metadata: { labels: { [SNAPSHOTS.invalidLabel]: null } } },
      { type: 'merge' },
    );
    await eventually('the label to be put back', () => isLabeled('again'));
    await cluster.client.patch(
      { ...SNAPSHOT_REF, name: 'good' },
      { metadata: { labels: { [SNAPSHOTS.invalidLabel]: 'no' } } },
      { type: 'merge' },
    );
    await eventually('the label of the valid snapshot to go', async () => !(await isLabeled('good')));
    await cluster.client.delete({ ...SNAPSHOT_REF, name: 'again' });
  });

  it('wins against other writers of the same objects', async () => {
    const names = Array.from({ length: 10 }, (_, n) => `busy-${n}`);
    for (const name of names) await cluster.snapshot(name, { source: {} });
    start();
    const annotate = (name: string, n: number): Promise<unknown> =>
      cluster.client.patch(
        { ...SNAPSHOT_REF, name },
        { metadata: { annotations: { n: `${n}` } } },
        { type: 'merge' },
      );
    let busy = true;
    const writer = (async () => {
      for (let n = 0; busy; n++) await annotate(names[n % names.length]!, n);
    })();
    await eventually('all of them to be labeled', async () =>
      (await Promise.all(names.map(isLabeled))).every(Boolean),
    ).finally(() => {
      busy = false;
    });
    await writer;
    for (const name of names) await cluster.client.delete({ ...SNAPSHOT_REF, name });
  });

  it('leads only while no other one does', async () => {
    const first = start({ identity: 'first' });
    await eventually('the first to lead', () => first.isLeader);
    const [handle] = running.splice(0);
    const told: string[] = [];
    const log = createLog({ level: 'info', destination: { write: (line) => told.push(line) } });
    const second = start({ identity: 'second', log });
    await eventually('the second to see the first', () => told.join().includes('another one leads'));
    expect([first.isLeader, second.isLeader]).toEqual([true, false]);
    handle!.stop.abort();
    await handle!.ended;
    await eventually('the second to lead', () => second.isLeader);
    await cluster.snapshot('taken-over', { source: {} });
    await eventually('a snapshot to be labeled by the second', () => isLabeled('taken-over'));
    await cluster.client.delete({ ...SNAPSHOT_REF, name: 'taken-over' });
  });

  it('follows the versions from phase to phase in both directions', async () => {
    start();
    await cluster.enter(2);
    await cluster.snapshot('phase-2', { source: {} });
    await eventually('the snapshot of phase 2 to be labeled', () => isLabeled('phase-2'));
    await cluster.enter(1);
    await cluster.snapshot('phase-1', { source: {} });
    await eventually('the snapshot of phase 1 to be labeled', () => isLabeled('phase-1'));
    for (const name of ['phase-1', 'phase-2']) await cluster.client.delete({ ...SNAPSHOT_REF, name });
  });
});

describe('the record', () => {
  const clean = { invalidSnapshots: 0, invalidContents: 0, checkedAt: 5 };

  it('says since when everything has been clean', () => {
    expect(nextRecord(undefined, clean, 10)).toEqual({ ...clean, cleanSince: 10 });
    expect(nextRecord({ ...clean, cleanSince: 3 }, clean, 10).cleanSince).toBe(3);
    expect(
      nextRecord({ ...clean, cleanSince: 3 }, { ...clean, invalidContents: 1 }, 10).cleanSince,
    ).toBeUndefined();
    expect(nextRecord({ ...clean, invalidSnapshots: 1 }, clean, 10).cleanSince).toBe(10);
  });
});
