// Compares the API server with recordings of kube-apiserver 1.36, step by step. departures.json explains each
// deliberate departure. It was recorded without kube-controller-manager.
import { ServerProcess } from '@instar/testing/command';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replayRecordings } from './replay.ts';

const NO_CONTROLLERS = '--controllers=-*';
/** As the server was started that the recordings of standard kinds and of security are of. */
const CLUSTER_FLAGS = [
  NO_CONTROLLERS,
  '--service-cluster-ip-range=10.0.0.0/24',
  '--disable-admission-plugins=ServiceAccount',
];

describe.each([
  {
    what: 'custom kinds',
    flags: [NO_CONTROLLERS],
    areas: ['verbs', 'definitions', 'schemas', 'versions', 'apply', 'conversion', 'admission'],
  },
  {
    what: 'standard kinds',
    flags: CLUSTER_FLAGS,
    // Discovery, services and storage still differ in a few steps.
    areas: ['apps', 'batch', 'cluster', 'events', 'limits', 'networking', 'nodes', 'pods', 'scaling'].map(
      (area) => `kinds-${area}`,
    ),
  },
  { what: 'security', flags: CLUSTER_FLAGS, areas: ['security'] },
])('as kube-apiserver answers about $what', ({ flags, areas }) => {
  let server: ServerProcess;

  beforeAll(async () => {
    server = await ServerProcess.start({ storage: 'memory', flags });
  });

  afterAll(async () => {
    await server.remove();
  });

  it.each(areas)(
    'in the scenarios of %s',
    async (area) => {
      const { code, output } = await replayRecordings(server.kubeconfig, area);
      expect(code, output).toBe(0);
    },
    240_000,
  );
});
