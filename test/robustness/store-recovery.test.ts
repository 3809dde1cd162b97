// A write that LMDB cannot make, in a process of its own: its descriptors of the data file are exchanged for
// ones that cannot be written. Needs /proc.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@instar/testing';
import { expect, it, onTestFinished } from 'vitest';

const SCRIPT = fileURLToPath(new URL('./store-writer.mjs', import.meta.url));

it.skipIf(!existsSync('/proc/self/fd'))(
  'a write that fails is made after the files were opened again, and clients do not notice',
  () => {
    const folder = temporaryFolder(onTestFinished);
    const { stdout, stderr } = spawnSync(process.execPath, [SCRIPT, folder, 'break'], { encoding: 'utf8' });
    const result = JSON.parse(stdout.trim().split('\n').at(-1) || `{"stderr":${JSON.stringify(stderr)}}`);
    expect(result).toMatchObject({ refused: [], events: 200, entries: 200 });
    expect(result.fault).toBeUndefined();
    expect(result.broken).toBeGreaterThan(0);
    expect(result.recoveries.length).toBeGreaterThan(0);
  },
);
