// examples/crontab-webhook, command by command: the example of KEP-598 with a real kubectl and a real webhook.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@instar/store/testing';
import { describe, expect, it } from 'vitest';
import { alike, GuideSession, stepsOf } from './guide.ts';
import { findKubectls, NO_KUBECTL } from './kubectl.ts';
import { ServerProcess } from './server-process.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/crontab-webhook', import.meta.url));
const hasKubectl = findKubectls().length > 0;

describe.skipIf(!hasKubectl)(`The CronTab of the proposal${hasKubectl ? '' : ` (${NO_KUBECTL})`}`, () => {
  it('goes from one version to two and back as its README says', { timeout: 240_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'instar-crontab-'));
    const port = String(await freePort());
    cpSync(EXAMPLE, folder, { recursive: true });
    for (const name of readdirSync(folder)) {
      const file = join(folder, name);
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll('9443', port));
    }
    const steps = stepsOf(readFileSync(join(folder, 'README.md'), 'utf8'));
    const server = await ServerProcess.start();
    const session = new GuideSession(folder, new Map(), server.kubeconfig);
    try {
      const outputs: string[] = [];
      for (const { command } of steps) outputs.push(await session.run(command));
      const text = (printed: readonly string[]) => steps.map(({ command }, i) => `$ ${command}\n${alike(printed[i]!)}`).join('\n');
      expect(text(outputs)).toBe(text(steps.map(({ expected }) => expected)));
    } finally {
      await session.run('kill $(cat webhook.pid) 2>/dev/null');
      await server.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
