import { readdirSync, readFileSync } from 'node:fs';
import type { Log } from '@instar/serving';
import { temporaryFolder } from '@instar/testing';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { VersionClients } from './version-clients.ts';
import { keepVersionClients } from './version-clients-file.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

it('writes serially, even if the next write is due before the last one has ended', async () => {
  const folder = temporaryFolder(onTestFinished);
  const clients = new VersionClients();
  const warnings: unknown[] = [];
  const log = { warn: (...args: unknown[]) => warnings.push(args) } as unknown as Log;
  const end = await keepVersionClients(clients, folder, log);
  for (let at = 1; at <= 20; at++) {
    clients.record({ crd: 'a.example.com', version: 'v1', user: 'u', userAgent: 'x' }, false, at);
    vi.advanceTimersByTime(30_000);
  }
  await end();
  expect(warnings).toEqual([]);
  expect(readdirSync(folder)).toEqual(['version-clients.json']);
  expect(JSON.parse(readFileSync(`${folder}/version-clients.json`, 'utf8'))).toMatchObject([{ reads: 20 }]);
});
