// The commands on storages, as functions: backup, restore and copy-store.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '@instar/store';
import { describeUnless, temporaryFolder } from '@instar/testing';
import { EtcdCluster, missingEtcd } from '@instar/testing/etcd';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { copyStore } from '../copy-store/copy-store.ts';
import { restore } from '../restore/restore.ts';
import { backup } from './backup.ts';

let directory: string;
let said: string;
beforeEach(() => {
  directory = temporaryFolder(onTestFinished);
  said = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = 0;
});

const flags = { dataDir: '.', etcdPrefix: '/registry', eventTtl: 3_600_000 };
const url = (name: string) => `lmdb:${join(directory, name)}`;
const at = (name: string) => ({ ...flags, storage: url(name) });
const file = () => join(directory, 'backup.gz');

async function fill(storage: string, count: number): Promise<void> {
  const store = await openStore(storage);
  for (let n = 0; n < count; n++) {
    const key = `/registry/${n % 2 === 0 ? 'configmaps' : 'events'}/default/${n}`;
    await store.commit({
      conditions: [],
      operations: [{ type: 'put', key, value: Buffer.from(`{"n":${n}}`) }],
    });
  }
  await store.close();
}

async function contents(storage: string): Promise<string[]> {
  const store = await openStore(storage);
  const { entries } = await store.list({ prefix: '/registry/' });
  await store.close();
  return entries.map(({ key, value }) => `${key} ${Buffer.from(value).toString()}`);
}

describe('a storage', () => {
  it('comes back from its backup', async () => {
    await fill(url('a'), 30);
    await backup(file(), at('a'));
    expect(said).toMatch(/^30 entries at revision 31, sha256 [0-9a-f]{64}\n$/);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    await restore(file(), at('b'));
    expect(said).toContain('30 entries restored');
    expect(await contents(url('b'))).toEqual(await contents(url('a')));
  });

  it('is backed up or restored over existing data only by force', async () => {
    await fill(url('a'), 3);
    await fill(url('b'), 5);
    await backup(file(), at('a'));
    await backup(file(), at('a'));
    expect(said).toContain('already exists: --force replaces it');
    expect(process.exitCode).toBe(1);
    await backup(file(), { ...at('a'), force: true });
    await restore(file(), at('b'));
    expect(said).toContain('--force removes it first');
    expect(await contents(url('b'))).toHaveLength(5);
    await restore(file(), { ...at('b'), force: true });
    expect(await contents(url('b'))).toEqual(await contents(url('a')));
  });

  it('leaves no partial backup behind', async () => {
    await backup(file(), at('none'));
    expect(said).toMatch(
      /^error: there is no data in \S+none: --data-dir or --storage must say where the data is\n$/,
    );
    expect([existsSync(file()), existsSync(`${file()}.partial`)]).toEqual([false, false]);
  });

  it.each([
    [
      'a backup that is not there',
      () => restore(join(directory, 'none.gz'), at('b')),
      /none\.gz does not exist: name a file written by instar backup/,
    ],
    [
      'a directory',
      () => restore(directory, at('b')),
      /\S+ is a directory: name a file written by instar backup/,
    ],
    [
      'what is not a backup',
      () => restore(import.meta.filename, at('b')),
      /backup\.test\.ts cannot be restored: it is not a backup of instar/,
    ],
    [
      'a folder that is not there',
      () => backup(join(directory, 'none', 'b.gz'), { ...flags, storage: 'memory:' }),
      /b\.gz cannot be written: its folder/,
    ],
    [
      'nothing to copy',
      () => copyStore(url('none'), url('b'), flags),
      /there is no data in \S+none: the first argument/,
    ],
    [
      'where nothing can be put',
      () => copyStore('memory:', 'lmdb:/proc/x', flags),
      /there can be no data in \/proc\/x/,
    ],
    [
      'files for etcd',
      () => backup(file(), { ...flags, storage: 'etcd://127.0.0.1:1', etcdCafile: '/none.pem' }),
      /\/none\.pem does not exist: see --etcd-cafile/,
    ],
  ])('says what is wrong with %s', async (_, command, message) => {
    await command();
    expect(said).toMatch(message);
    expect(said).not.toMatch(/ENOENT|EISDIR|ENOTDIR/);
    expect(process.exitCode).toBe(1);
  });

  describeUnless(missingEtcd(), 'over etcd', () => {
    it('is copied there and back', async () => {
      const cluster = await EtcdCluster.start();
      try {
        await fill(url('a'), 250);
        const large = await openStore(url('a'));
        for (const name of ['a', 'b']) {
          const value = Buffer.alloc(1_400_000, name);
          await large.commit({
            conditions: [],
            operations: [{ type: 'put', key: `/registry/large/${name}`, value }],
          });
        }
        await large.close();
        await copyStore(url('a'), cluster.url, flags);
        expect(said).toMatch(/252 entries copied; lmdb:\S+ is at revision 253, etcd:\S+ at \d+/);
        await copyStore(url('a'), cluster.url, flags);
        expect(said).toContain('--force removes it first');
        await backup(file(), { ...flags, storage: cluster.url });
        await copyStore(cluster.url, url('c'), flags);
        await restore(file(), at('d'));
        for (const name of ['c', 'd']) expect(await contents(url(name))).toEqual(await contents(url('a')));
      } finally {
        await cluster.stop();
      }
    }, 30_000);
  });
});
