// Real definitions, objects and API tests of public projects, with the verdicts of kube-apiserver 1.36.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServerProcess } from '../e2e/server-process.ts';
import { hasRecordings, replay } from './replay.ts';

describe.skipIf(!hasRecordings)(
  'verdicts of kube-apiserver (skipped where the corpus is not beside the repository)',
  () => {
    let server: ServerProcess;

    beforeAll(async () => {
      server = await ServerProcess.start({ storage: 'memory' });
    });

    afterAll(async () => {
      await server.remove();
    });

    it.each(['crds', 'objects', 'suites'])(
      '%s',
      async (kind) => {
        const { code, output } = await replay('corpus', server.kubeconfig, ['--kind', kind]);
        expect(code, output).toBe(0);
      },
      300_000,
    );
  },
);
