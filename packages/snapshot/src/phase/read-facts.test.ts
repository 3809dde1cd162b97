// The facts as a real API server gives them, from nothing installed to the last phase.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeRecord } from '../labeller/record.ts';
import { SnapshotCluster } from '../testing/snapshot-cluster.ts';
import type { ClusterFacts } from './cluster-facts.ts';
import { readClusterFacts } from './read-facts.ts';
import { phaseReport } from './report.ts';

let cluster: SnapshotCluster;
beforeAll(async () => {
  cluster = await SnapshotCluster.start();
});
afterAll(() => cluster.close());

const place = { namespace: 'default', name: 'labeller' };
const facts = (): Promise<ClusterFacts> =>
  readClusterFacts(cluster.client, { labeller: place, probeNamespace: 'default' });

it('reports that nothing is installed', async () => {
  const found = await facts();
  expect(found.definitions.map(({ kind, storage }) => `${kind} ${storage}`)).toEqual([
    'VolumeSnapshot ',
    'VolumeSnapshotContent ',
  ]);
  expect(found).toMatchObject({ webhooks: [], probe: { outcome: 'unknown' } });
  expect(found.labeller).toBeUndefined();
  expect(phaseReport(found, { waitMs: 0 })).toMatchObject({ phase: 0, safe: false });
});

it('reports unlabeled invalid objects in a cluster that accepts them', async () => {
  await cluster.enter(1);
  await cluster.snapshot('good', { source: { persistentVolumeClaimName: 'p' } });
  for (let n = 0; n < 12; n++) await cluster.snapshot(`bad-${n}`, { source: {} });
  const found = await facts();
  expect(found.objects[0]).toMatchObject({ total: 13, invalid: 12, labeled: 0 });
  expect(found.objects[0]!.examples).toHaveLength(10);
  expect(found.objects[0]!.examples[0]).toMatch(/^default\/bad-0: spec\.source: Required value/);
  expect(found.probe).toEqual({ outcome: 'accepted', message: '' });
  expect(
    await cluster.client.list({
      group: 'snapshot.storage.k8s.io',
      version: 'v1beta1',
      resource: 'volumesnapshots',
    }),
  ).toMatchObject({
    items: { length: 13 },
  });
});

it('reads the state of the labeller', async () => {
  await writeRecord(
    cluster.client,
    place,
    { invalidSnapshots: 0, invalidContents: 2, checkedAt: 1_700_000_000_000 },
    'tests',
  );
  await cluster.client.create(
    { group: 'coordination.k8s.io', version: 'v1', resource: 'leases', namespace: 'default' },
    {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'labeller' },
      spec: { holderIdentity: 'me', leaseDurationSeconds: 15, renewTime: '2023-11-14T22:13:20.500000Z' },
    },
  );
  expect((await facts()).labeller).toEqual({
    leader: 'me',
    leaseSeconds: 15,
    renewedAt: 1_700_000_000_500,
    record: { invalidSnapshots: 0, invalidContents: 2, checkedAt: 1_700_000_000_000 },
  });
});

it('follows the definitions through the phases', async () => {
  for (const phase of [2, 3] as const) {
    await cluster.enter(phase);
    expect(phaseReport(await facts(), { waitMs: 0 }).phase).toBe(phase);
  }
  expect((await facts()).definitions[0]).toMatchObject({
    served: ['v1', 'v1beta1'],
    storage: 'v1',
    storedVersions: ['v1beta1', 'v1'],
  });
});
