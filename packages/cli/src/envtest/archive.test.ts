// The archive, unpacked as setup-envtest does: all files into one directory.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '@instar/testing';
import { Run } from '@instar/testing/command';
import { beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const dir = temporaryFolder();
let archive: string;

beforeAll(async () => {
  // A small program, since a real kubectl would be most of the archive.
  const kubectl = join(dir, 'kubectl');
  await writeFile(kubectl, '#!/bin/sh\necho a kubectl\n', { mode: 0o755 });
  const made = new Run(
    'envtest',
    'archive',
    join(dir, 'out'),
    '--kubectl',
    kubectl,
    '--kubernetes',
    'v1.36.4',
  );
  expect(await made.ended, made.stderr).toBe(0);
  archive = made.stdout.split('\n')[0]!;
}, 60_000);

describe('instar envtest archive', () => {
  it('has programs that run where it was unpacked', async () => {
    const folder = join(dir, 'unpacked');
    await mkdir(folder);
    await run('tar', ['-xzf', archive, '-C', folder, '--strip-components=2']);
    const start = async (name: string, ...args: string[]) => (await run(join(folder, name), args)).stdout;
    expect(await start('kubectl')).toBe('a kubectl\n');
    expect(await start('etcd', '--help')).toMatch(/--unsafe-no-fsync/);
    await expect(start('kube-apiserver', '--no-such-flag')).rejects.toThrow(
      /unknown option '--no-such-flag'/,
    );
  });

  it('is in the index with its hash and its address', async () => {
    const index = await readFile(join(dir, 'out', 'envtest-releases.yaml'), 'utf8');
    const hash = createHash('sha512').update(await readFile(archive));
    expect(index).toContain(`hash: ${hash.digest('hex')}\n`);
    expect(index).toContain(`selfLink: "file://${archive}"\n`);
    expect(index).toMatch(
      /^releases:\n {2}v1\.36\.4:\n {4}envtest-v1\.36\.4-[a-z0-9]+-[a-z0-9]+\.tar\.gz:\n/,
    );
  });

  it('is the only file besides the index', async () => {
    expect(await readdir(join(dir, 'out'))).toHaveLength(2);
  });

  it('refuses a version that setup-envtest could not find', async () => {
    const made = new Run('envtest', 'archive', join(dir, 'no'), '--kubernetes', 'latest');
    expect(await made.ended).toBe(2);
    expect(made.stderr).toMatch(/--kubernetes: latest is not a version/);
  });
});
