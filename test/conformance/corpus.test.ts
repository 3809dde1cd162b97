// Real definitions, objects and API tests of public projects, with the verdicts of kube-apiserver 1.36.
import { describeUnless, missingCorpus } from '@instar/testing';
import { ServerProcess } from '@instar/testing/command';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { replayCorpus } from './replay.ts';

describeUnless(missingCorpus(), 'verdicts of kube-apiserver', () => {
  let server: ServerProcess;

  beforeAll(async () => {
    server = await ServerProcess.start({ storage: 'memory' });
  });

  afterAll(async () => {
    await server.remove();
  });

  it.each(['crds', 'objects', 'suites'])(
    'are the same for the %s of the corpus',
    async (kind) => {
      const { code, output } = await replayCorpus(server.kubeconfig, kind);
      expect(code, output).toBe(0);
    },
    300_000,
  );
});
