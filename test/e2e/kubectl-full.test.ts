// The oldest and the newest kubectl, with rarer commands, flags and kinds; watching; owners and finalizers.
import { createInterface } from 'node:readline';
import { describeUnless, eventually } from '@instar/testing';
import { findKubectls, Kubectl, missingKubectl, ServerProcess } from '@instar/testing/command';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flags, kinds } from './full-steps.ts';
import { cascade, finalizing } from './owner-steps.ts';
import { failuresOf, runStep } from './steps.ts';

const binaries = findKubectls().filter((_, at, all) => at === 0 || at === all.length - 1);

describeUnless(missingKubectl(), 'kubectl', () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await ServerProcess.start();
  });
  afterAll(() => server.remove());

  it.concurrent.each(binaries)('1.$minor knows all kinds and flags', { timeout: 120_000 }, async (binary) => {
    const kubectl = new Kubectl(binary, server.kubeconfig);
    const end = [{ type: 'delete ns $NS --timeout=30s', out: 'deleted' }];
    const failures = await failuresOf(
      [...kinds, ...flags, ...finalizing, ...end],
      kubectl,
      `full-${binary.minor}`,
    );
    kubectl.remove();
    expect(failures.join('\n')).toBe('');
  });

  describe.each(binaries)('1.$minor', (binary) => {
    let kubectl: Kubectl;
    const namespace = `more-${binary.minor}`;
    const inNamespace = ['--namespace', namespace];
    beforeAll(async () => {
      kubectl = new Kubectl(binary, server.kubeconfig);
      await kubectl.ok(['create', 'namespace', namespace]);
    });
    afterAll(() => kubectl.remove());

    it('get -w prints changes until it is stopped', async () => {
      await kubectl.ok([...inNamespace, 'create', 'cm', 'watched']);
      const child = kubectl.spawn([
        ...inNamespace,
        'get',
        'cm',
        '-w',
        '--field-selector',
        'metadata.name=watched',
        '-o',
        'jsonpath={.data.n}{"\\n"}',
      ]);
      const seen: string[] = [];
      const done = new Promise<void>((resolve) => {
        createInterface({ input: child.stdout! }).on('line', (line) => {
          seen.push(line);
          if (seen.length === 5) resolve();
        });
      });
      await eventually('the watch to begin', () => seen.length > 0);
      for (const n of [1, 2, 3])
        await kubectl.ok([...inNamespace, 'patch', 'cm', 'watched', '-p', `{"data":{"n":"${n}"}}`]);
      await kubectl.ok([...inNamespace, 'delete', 'cm', 'watched']);
      await done;
      child.kill('SIGINT');
      expect(seen).toEqual(['', '1', '2', '3', '3']);
    });

    it('get -w --output-watch-events prints a table of events', async () => {
      const child = kubectl.spawn([
        ...inNamespace,
        'get',
        'cm',
        '-w',
        '--output-watch-events',
        '-l',
        'watch=table',
      ]);
      let text = '';
      child.stdout!.on('data', (chunk: Buffer) => (text += chunk));
      const shows = (pattern: RegExp) =>
        eventually(`${pattern} to be shown`, () => pattern.test(text), { state: () => text });
      // Nothing is printed until the watch runs; objects that exist before it are ADDED too.
      await kubectl.ok([...inNamespace, 'create', 'cm', 'tabled']);
      await kubectl.ok([...inNamespace, 'label', 'cm', 'tabled', 'watch=table']);
      await shows(/ADDED +tabled +0/);
      await kubectl.ok([...inNamespace, 'label', 'cm', 'tabled', 'watch-']);
      await shows(/DELETED +tabled +0/);
      child.kill('SIGINT');
      expect(text).toMatch(/^EVENT +NAME +DATA +AGE\nADDED .*\nDELETED .*\n$/);
    });

    it.each(['background', 'foreground', 'orphan'] as const)(
      'delete --cascade=%s deletes or keeps dependents accordingly',
      async (policy) => {
        await kubectl.ok([...inNamespace, 'create', 'cm', `owner-${policy}`]);
        const uid = await kubectl.ok([
          ...inNamespace,
          'get',
          'cm',
          `owner-${policy}`,
          '-o',
          'jsonpath={.metadata.uid}',
        ]);
        const owner = {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          name: `owner-${policy}`,
          uid,
          blockOwnerDeletion: true,
        };
        const child = {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: `child-${policy}`, ownerReferences: [owner] },
        };
        await kubectl.ok([...inNamespace, 'create', '-f', '-'], { stdin: JSON.stringify(child) });
        for (const step of cascade(policy)) await runStep(step, kubectl, namespace);
      },
    );
  });
});
