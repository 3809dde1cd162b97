// One server per data directory: of many that start concurrently at most one succeeds, and a killed one
// leaves nothing that must be cleaned up.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '@instar/store';
import { temporaryFolder } from '@instar/testing';
import { expect, it } from 'vitest';
import { StoreChild } from './store-child.ts';

const base = temporaryFolder();

it('admits no second process until the first is killed', {
  timeout: 60_000,
}, async () => {
  const directory = join(base, 'race');
  for (let round = 0; round < 4; round++) {
    const children = Array.from({ length: 5 }, () => new StoreChild(directory, 'hold'));
    const opened = await Promise.all(children.map((child) => child.opened()));
    const winners = children.filter((_, at) => opened[at]?.startsWith('open'));
    expect(winners.length).toBeLessThanOrEqual(1);
    for (const answer of opened)
      expect(answer).toMatch(/^(open|refused locked .* in use by another process)/);
    await Promise.all(children.map((child) => child.kill()));
    const store = await openStore(`lmdb:${directory}`);
    await store.close();
  }
});

it('reports which process holds the directory, even if it is this one', async () => {
  const directory = join(base, 'held');
  const store = await openStore(`lmdb:${directory}`);
  await expect(openStore(`lmdb:${directory}`)).rejects.toMatchObject({
    code: 'locked',
    message: expect.stringContaining(`(pid ${process.pid})`),
  });
  await store.close();
  await (await openStore(`lmdb:${directory}`)).close();
});

it('locks a directory whose path is too long for a socket', async () => {
  const directory = join(base, 'd'.repeat(120), 'e'.repeat(120));
  mkdirSync(directory, { recursive: true });
  const store = await openStore(`lmdb:${directory}`);
  await expect(openStore(`lmdb:${directory}`)).rejects.toMatchObject({ code: 'locked' });
  await store.close();
});
