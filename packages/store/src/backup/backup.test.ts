import { createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { temporaryFolder } from '@instar/testing';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { keysOf, put, remove, write } from '../contract/engine.ts';
import { Recorder } from '../contract/recorder.ts';
import { openForReading, openStore } from '../open.ts';
import type { Store } from '../store.ts';
import { fillStore, isUnfinished, openBackup, snapshotOf, writeBackup } from './index.ts';

const PREFIX = '/registry/';
let directory: string;
let from: Store;
let to: Store;
beforeEach(async () => {
  directory = temporaryFolder(onTestFinished);
  [from, to] = await Promise.all([openStore('memory:'), openStore(`lmdb:${join(directory, 'store')}`)]);
});
afterEach(async () => {
  await Promise.all([from.close(), to.close()]);
});

const file = () => join(directory, 'backup');
const backup = async () => writeBackup(await snapshotOf(from, PREFIX), createWriteStream(file()));
const values = async (store: Store) => (await keysOf(store, PREFIX)).map((line) => line.replace(/@\d+$/, ''));
const fill = async (options = {}) => {
  const { snapshot, summary } = await openBackup(file());
  return fillStore(to, snapshot, { id: summary.sha256, prefix: PREFIX, ...options });
};

async function fillSource(count = 1_200): Promise<void> {
  for (let at = 0; at < count; at += 100)
    await write(
      from,
      ...Array.from({ length: 100 }, (_, more) =>
        put(`${PREFIX}widgets/${at + more}`, `{"n":${at + more},"é":"\u{1f600}"}`),
      ),
    );
  await write(
    from,
    { type: 'put', key: `${PREFIX}bytes`, value: Uint8Array.of(0xff, 0, 0xfe) },
    put('/elsewhere'),
  );
}

describe('a backup', () => {
  it('shows one revision, however long it takes', async () => {
    await fillSource();
    const before = await values(from);
    const snapshot = await snapshotOf(from, PREFIX);
    await write(
      from,
      remove(`${PREFIX}widgets/1100`),
      put(`${PREFIX}widgets/999`, 'later'),
      put(`${PREFIX}zzz`),
    );
    await writeBackup(snapshot, createWriteStream(file()));
    await fill();
    expect(await values(to)).toEqual(before);
    expect((await to.get(`${PREFIX}bytes`))?.value).toEqual(Buffer.of(0xff, 0, 0xfe));
    expect(await to.get('/elsewhere')).toBeUndefined();
  });

  it('can be made of lmdb: while another process has it open', async () => {
    await write(to, ...Array.from({ length: 100 }, (_, at) => put(`${PREFIX}widgets/${at}`)));
    const reading = await openForReading(`lmdb:${join(directory, 'store')}`);
    const snapshot = await snapshotOf(reading, PREFIX);
    await write(to, remove(`${PREFIX}widgets/7`));
    expect((await writeBackup(snapshot, createWriteStream(file()))).entries).toBe(100);
    await reading.close();
    await expect(openForReading(`lmdb:${join(directory, 'none')}`)).rejects.toThrow(/holds no data/);
  });

  it('leads to unused revisions, with no history before them', async () => {
    for (let round = 0; round < 50; round++) await write(from, put(`${PREFIX}a`, `${round}`));
    const { revision } = await backup();
    const filled = await fill();
    expect((await to.get(`${PREFIX}a`))!.modRevision).toBeGreaterThan(revision);
    expect(await to.compactedRevision()).toBe(filled.revision);
    expect(await new Recorder(to, PREFIX, revision).end()).toMatchObject({ code: 'compacted' });
  });

  it('is not restored over other data, unless forced', async () => {
    await fillSource(100);
    await backup();
    await write(to, put(`${PREFIX}precious`), put('/untouched'));
    await expect(fill()).rejects.toThrow(/there is data already, beginning with "\/registry\/precious"/);
    await fill({ force: true });
    expect(await values(to)).toEqual(await values(from));
    expect(await to.get('/untouched')).toBeDefined();
  });

  it('leaves no store that looks complete when it is aborted while removing old data', async () => {
    await fillSource(100);
    await backup();
    await write(to, ...Array.from({ length: 150 }, (_, at) => put(`${PREFIX}old/${at}`)));
    const { snapshot, summary } = await openBackup(file());
    const broken = new Error('the cable was pulled');
    let removals = 0;
    const cut = new Proxy(to, {
      get: (store, name: keyof Store) =>
        name === 'commit'
          ? async (commit: Parameters<Store['commit']>[0]) => {
              if (commit.operations[0]?.type === 'delete' && ++removals > 1) throw broken;
              return store.commit(commit);
            }
          : (store[name] as (...args: unknown[]) => unknown)?.bind(store),
    });
    await expect(fillStore(cut, snapshot, { id: summary.sha256, prefix: PREFIX, force: true })).rejects.toBe(
      broken,
    );
    expect(await isUnfinished(to, PREFIX)).toBe(true);
    await fill({ force: true });
    expect(await values(to)).toEqual(await values(from));
    expect(await isUnfinished(to, PREFIX)).toBe(false);
  });

  it('can be restored in several attempts', async () => {
    await fillSource();
    await backup();
    const broken = new Error('the cable was pulled');
    const onProgress = (entries: number): void => {
      if (entries >= 500) throw broken;
    };
    await expect(fill({ onProgress })).rejects.toBe(broken);
    expect(await isUnfinished(to, PREFIX)).toBe(true);
    expect(await fill()).toMatchObject({ entries: 1201, kept: 500 });
    expect(await isUnfinished(to, PREFIX)).toBe(false);
    expect(await values(to)).toEqual(await values(from));
  });

  it('is refused if anything in it has changed or is missing', async () => {
    await fillSource(100);
    await backup();
    const good = gunzipSync(readFileSync(file())).toString();
    const lines = good.split('\n');
    const refusals: [string | Buffer, RegExp][] = [
      [good.replace('n\\":42', 'n\\":43'), /checksum/],
      [good.replace(`${lines[5]}\n`, ''), /checksum/],
      [`${lines.slice(0, -2).join('\n')}\n`, /end is missing/],
      ['{"format":"other"}\n', /not a backup/],
      [good.replace('"version":1', '"version":9'), /version 9/],
      ['hello\n', /not JSON/],
    ];
    for (const [content, why] of refusals) {
      writeFileSync(file(), gzipSync(content));
      await expect(fill()).rejects.toThrow(why);
    }
    writeFileSync(file(), readFileSync(file()).subarray(0, 30));
    await expect(fill()).rejects.toMatchObject({ code: 'corrupt' });
    expect(await values(to)).toEqual([]);
  });
});
