// Every release of kubectl from 1.27 to 1.33 runs everyday commands on built-in kinds. They share a server,
// each in its own namespace.
import { describeUnless } from '@instar/testing';
import { findKubectls, Kubectl, missingKubectl, ServerProcess } from '@instar/testing/command';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { creating, deleting, reading, writing } from './core-steps.ts';
import { failuresOf } from './steps.ts';

const binaries = findKubectls();
const core = [...creating, ...reading, ...writing, ...deleting];

describeUnless(missingKubectl(), 'kubectl', () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await ServerProcess.start();
  });
  afterAll(() => server.remove());

  it.concurrent.each(binaries)('1.$minor runs everyday commands', { timeout: 120_000 }, async (binary) => {
    const isBetween = binary !== binaries[0] && binary !== binaries.at(-1);
    const kubectl = new Kubectl(binary, server.kubeconfig);
    const failures = await failuresOf(
      isBetween ? core.filter(({ extra }) => extra !== true) : core,
      kubectl,
      `e2e-${binary.minor}`,
    );
    kubectl.remove();
    expect(failures.join('\n')).toBe('');
  });
});
