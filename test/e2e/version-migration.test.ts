// docs/guides/version-migration.md, command by command.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeUnless, temporaryFolder } from '@instar/testing';
import { missingKubectl, ServerProcess } from '@instar/testing/command';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { alike, filesOf, GuideSession, type GuideStep, prologueFor, stepsOf } from './guide.ts';

const GUIDE = fileURLToPath(new URL('../../docs/guides/version-migration.md', import.meta.url));
const markdown = readFileSync(GUIDE, 'utf8');

describeUnless(missingKubectl(), 'The guide to versions', () => {
  let server: ServerProcess;
  let session: GuideSession;
  const folder = temporaryFolder();

  beforeAll(async () => {
    server = await ServerProcess.start();
    session = new GuideSession(folder, filesOf(markdown), prologueFor(folder, server.kubeconfig));
  });

  afterAll(async () => {
    await server.remove();
  });

  it('prints the output in the guide', { timeout: 240_000 }, async () => {
    const printed: { step: GuideStep; output: string }[] = [];
    for (const step of stepsOf(markdown)) printed.push({ step, output: await session.run(step.command) });
    // INSTAR_GUIDE_OUTPUT=FILE stores the output, to update the guide.
    const file = process.env['INSTAR_GUIDE_OUTPUT'];
    if (file !== undefined)
      writeFileSync(file, printed.map(({ step, output }) => `$ ${step.command}\n${output}`).join('\n'));
    const text = (pairs: readonly (readonly [string, string])[]) =>
      pairs.map(([command, output]) => `$ ${command}\n${alike(output)}`).join('\n');
    expect(text(printed.map(({ step, output }) => [step.command, output]))).toBe(
      text(printed.map(({ step }) => [step.command, step.expected])),
    );
  });
});
