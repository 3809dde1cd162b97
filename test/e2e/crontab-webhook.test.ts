// examples/crontab-webhook, command by command: the example of KEP-598 with a real kubectl and a real
// webhook.
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeUnless, eventually, freePort, temporaryFolder } from '@instar/testing';
import { missingKubectl, ServerProcess } from '@instar/testing/command';
import { expect, it, onTestFinished } from 'vitest';
import { alike, GuideSession, prologueOf, stepsOf } from './guide.ts';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const EXAMPLE = join('examples', 'crontab-webhook');

/** A copy of the example, which may leave files, with what its README expects around it. */
function copyOfExample(kubeconfig: string, port: string): string {
  const top = temporaryFolder(onTestFinished);
  const folder = join(top, EXAMPLE);
  cpSync(join(REPOSITORY, EXAMPLE), folder, { recursive: true });
  symlinkSync(join(REPOSITORY, 'node_modules'), join(top, 'node_modules'));
  mkdirSync(join(top, '.instar'));
  symlinkSync(kubeconfig, join(top, '.instar', 'kubeconfig'));
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('9443', port));
  }
  return folder;
}

describeUnless(missingKubectl(), 'The CronTab of the proposal', () => {
  it('goes from one version to two and back as in its README', {
    timeout: 240_000,
  }, async () => {
    const server = await ServerProcess.start();
    const folder = copyOfExample(server.kubeconfig, String(await freePort()));
    const readme = readFileSync(join(folder, 'README.md'), 'utf8');
    const steps = stepsOf(readme);
    const session = new GuideSession(folder, new Map(), prologueOf(readme));
    try {
      const outputs: string[] = [];
      for (const { command } of steps) outputs.push(await session.run(command));
      const text = (printed: readonly string[]) =>
        steps.map(({ command }, i) => `$ ${command}\n${alike(printed[i]!)}`).join('\n');
      expect(text(outputs)).toBe(text(steps.map(({ expected }) => expected)));
      await eventually('the webhook to end', () => !session.isRunning, { timeoutMs: 30_000 });
    } finally {
      session.end();
      await server.remove();
    }
  });
});
