// The judge of the API server's behaviour: what kube-apiserver 1.36 answered, step by step. Where Instar
// answers otherwise on purpose, departures.json says why.
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServerProcess } from '../e2e/server-process.ts';
import { hasRecordings, replay } from './replay.ts';

const departures = fileURLToPath(new URL('departures.json', import.meta.url));

describe.skipIf(!hasRecordings)(
  'as kube-apiserver answers (skipped where the recordings are not beside the repository)',
  () => {
    let server: ServerProcess;

    beforeAll(async () => {
      server = await ServerProcess.start({ storage: 'memory' });
    });

    afterAll(async () => {
      await server.remove();
    });

    it.each(['verbs', 'definitions', 'schemas', 'versions', 'apply', 'conversion', 'admission'])(
      '%s',
      async (area) => {
        const { code, output } = await replay('conformance', server.kubeconfig, [
          '--only',
          area,
          '--departures',
          departures,
        ]);
        expect(code, output).toBe(0);
      },
      240_000,
    );
  },
);
