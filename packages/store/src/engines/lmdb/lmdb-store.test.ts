import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { describeStoreContract } from '../../contract/index.ts';
import { openStore } from '../../open.ts';

const directories: string[] = [];
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

describeStoreContract('lmdb:', {
  open: (options) => {
    const directory = mkdtempSync(join(tmpdir(), 'instar-lmdb-'));
    directories.push(directory);
    return openStore(`lmdb:${directory}`, options);
  },
});
