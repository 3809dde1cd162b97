import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@instar/testing';
import { describe, expect, it } from 'vitest';
import { readAdmissionConfig } from './admission-config-file.ts';

const HEAD = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\n';

async function read(text: string) {
  const folder = temporaryFolder();
  const file = join(folder, 'config.yaml');
  await writeFile(file, text);
  await writeFile(join(folder, 'own.yaml'), 'defaults: {enforce: baseline}');
  return readAdmissionConfig(file);
}

describe('--admission-control-config-file', () => {
  it('has configurations, or names their files', async () => {
    const plugins =
      'plugins:\n- {name: A, configuration: {a: 1}}\n- {name: PodSecurity, path: own.yaml}\n- {name: B}';
    expect(await read(HEAD + plugins)).toEqual({
      A: { a: 1 },
      PodSecurity: { defaults: { enforce: 'baseline' } },
    });
  });

  it.each([
    ['kind: Other', 'it contains no AdmissionConfiguration'],
    ['kind: AdmissionConfiguration', 'its apiVersion must be one of apiserver.config.k8s.io/v1'],
    [`${HEAD}plugins: [{path: x}]`, 'a plugin has no name'],
    [`${HEAD}plugins: [{name: A}, {name: A, path: own.yaml}, {name: A, path: own.yaml}]`, 'A is there twice'],
  ])('is refused: %s', async (text, why) => {
    await expect(read(text)).rejects.toThrow(why);
  });
});
