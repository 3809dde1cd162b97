// Every release of kubectl from 1.27 to 1.33 does its daily work on built-in kinds.
import { afterAll, beforeAll, describe } from 'vitest';
import { creating, deleting, reading, writing } from './core-steps.ts';
import { findKubectls, Kubectl, NO_KUBECTL } from './kubectl.ts';
import { ServerProcess } from './server-process.ts';
import { itRuns } from './steps.ts';

const binaries = findKubectls();

describe.skipIf(binaries.length === 0)(`kubectl${binaries.length === 0 ? ` (${NO_KUBECTL})` : ''}`, () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await ServerProcess.start();
  });
  afterAll(() => server.remove());

  describe.each(binaries)('1.$minor', (binary) => {
    let kubectl: Kubectl;
    beforeAll(() => {
      kubectl = new Kubectl(binary, server.kubeconfig);
    });
    afterAll(() => kubectl.remove());
    itRuns(
      [...creating, ...reading, ...writing, ...deleting],
      () => kubectl,
      binary.minor,
      () => `e2e-${binary.minor}`,
    );
  });
});
