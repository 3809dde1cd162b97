// retire and migrate for versions that do not exist, against a server in this process.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openKubeClient } from '@instar/client';
import { temporaryFolder } from '@instar/testing';
import { EmbeddedApi } from '@instar/testing/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../testing/run-command.ts';

const NAME = 'crontabs.stable.example.com';
const folder = temporaryFolder();
let server: EmbeddedApi;
const access = (): string[] => ['--kubeconfig', join(folder, 'kubeconfig')];
const journal = (): string[] => ['--journal', join(folder, 'journal.json')];

beforeAll(async () => {
  server = await EmbeddedApi.start();
  writeFileSync(join(folder, 'kubeconfig'), server.server.kubeconfig());
  const api = await openKubeClient({ kubeconfig: join(folder, 'kubeconfig'), userAgent: 'test' });
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const versions = ['v1beta1', 'v1'].map((name) => ({
    name,
    served: name === 'v1',
    storage: name === 'v1',
    schema,
  }));
  await api.create(
    { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' },
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: NAME },
      spec: {
        group: 'stable.example.com',
        scope: 'Namespaced',
        names: { plural: 'crontabs', kind: 'CronTab' },
        versions,
      },
    },
  );
  await api.close();
});
afterAll(async () => {
  await server.close();
});

describe('instar retire', () => {
  it('lists the versions for one that never existed', async () => {
    const message = `error: ${NAME} has no version v9; it has v1beta1, v1\n`;
    for (const more of [[], ['--do', '--yes'], ['--watch'], ['-o', 'json']])
      expect(await runCommand('retire', NAME, 'v9', ...more, ...access(), ...journal())).toEqual({
        code: 2,
        stdout: '',
        stderr: message,
      });
    expect((await runCommand('retire', NAME, 'v1', '--to', 'v9', ...access(), ...journal())).stderr).toBe(
      message,
    );
  });

  it('reports a version as removed if it removed it', async () => {
    const args = ['retire', NAME, 'v1beta1', ...access(), ...journal()];
    expect((await runCommand(...args)).code).toBe(1);
    expect((await runCommand(...args, '--do', '--yes')).code).toBe(0);
    expect(await runCommand(...args)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('v1beta1 is gone.'),
    });
    expect((await runCommand(...args, '--undo', '--yes')).stderr).toContain('undone: remove v1beta1');
  });

  it('reports what is wrong with its journal', async () => {
    writeFileSync(join(folder, 'broken.json'), '{');
    const { code, stderr } = await runCommand(
      'retire',
      NAME,
      'v9',
      ...access(),
      '--journal',
      join(folder, 'broken.json'),
    );
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^error: \S+broken\.json is not a journal of instar retire: /),
    ]);
  });
});

describe('a journal that cannot be written', () => {
  it('prevents every step', async () => {
    const args = [
      'retire',
      NAME,
      'v1beta1',
      '--do',
      '--yes',
      ...access(),
      '--journal',
      join(folder, 'none', 'journal.json'),
    ];
    const { code, stderr } = await runCommand(...args);
    expect([code, stderr]).toEqual([
      2,
      `error: ${join(folder, 'none', 'journal.json')} cannot be written: its folder does not exist\n`,
    ]);
    expect((await runCommand('retire', NAME, 'v1beta1', ...access(), ...journal())).stdout).toContain(
      '→ 8. remove v1beta1',
    );
  });
});

describe('instar migrate', () => {
  it('reports a missing version before it asks anything', async () => {
    for (const more of [[], ['--yes'], ['--dry-run']])
      expect(await runCommand('migrate', NAME, '--to', 'v9', ...more, ...access())).toEqual({
        code: 2,
        stdout: '',
        stderr: `error: ${NAME} has no version v9; it has v1beta1, v1\n`,
      });
  });
});
