// Compares the API server with recordings of kube-apiserver 1.36, step by step. departures.json explains each
// deliberate departure.
import { ServerProcess } from '@instar/testing/command';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replayRecordings } from './replay.ts';

describe('as kube-apiserver answers', () => {
  let server: ServerProcess;

  beforeAll(async () => {
    server = await ServerProcess.start({ storage: 'memory', flags: ['--controllers=-*'] });
  });

  afterAll(async () => {
    await server.remove();
  });

  it.each(['verbs', 'definitions', 'schemas', 'versions', 'apply', 'conversion', 'admission'])(
    'in the scenarios of %s',
    async (area) => {
      const { code, output } = await replayRecordings(server.kubeconfig, area);
      expect(code, output).toBe(0);
    },
    240_000,
  );
});
