// The files of the lmdb engine: restarts, a full store, damaged files and those of other programs.
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { eventually, temporaryFolder } from '@instar/testing';
import { open as openLmdb } from 'lmdb';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { bytes, keysOf, put, remove, write } from '../../contract/engine.ts';
import { ManualClock, Recorder } from '../../contract/index.ts';
import { openStore } from '../../open.ts';
import type { Store } from '../../store.ts';
import { DiskSpace } from './disk-space.ts';
import { GroupWriter } from './group-writer.ts';
import { numberBytes } from './records.ts';
import { openTables, readState, reopenTables } from './tables.ts';

let directory: string;
let opened: Store[];
beforeEach(() => {
  directory = temporaryFolder(onTestFinished);
  opened = [];
});
afterEach(async () => {
  for (const store of opened) await store.close();
});

async function open(options: Parameters<typeof openStore>[1] = {}): Promise<Store> {
  const store = await openStore(`lmdb:${directory}`, options);
  opened.push(store);
  return store;
}

const dataFile = () => join(directory, 'data.mdb');

/** Incompressible. */
const noise = (length: number): string => randomBytes(length).toString('base64').slice(0, length);

describe('a directory', () => {
  it('is created with its parents, or the error is reported', async () => {
    const store = await openStore(`lmdb:${join(directory, 'a/b/c')}`);
    await store.close();
    expect(existsSync(join(directory, 'a/b/c/data.mdb'))).toBe(true);
    writeFileSync(join(directory, 'file'), '');
    await expect(openStore(`lmdb:${join(directory, 'file/a/b')}`)).rejects.toMatchObject({
      code: 'unavailable',
    });
  });

  it.skipIf(!existsSync('/proc/self'))('cannot be made below /proc', async () => {
    await expect(openStore('lmdb:/proc/instar')).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('a restart', () => {
  it('keeps entries, revisions, history and what was compacted', async () => {
    const before = await open();
    const first = await write(before, put('/a', '1'), put('/b', '1'));
    const second = await write(before, put('/a', '2'));
    const third = await write(before, remove('/b'));
    await before.compact(first);
    await before.close();
    const after = await open();
    expect([await after.currentRevision(), await after.compactedRevision()]).toEqual([third, first]);
    expect(await keysOf(after, '/')).toEqual([`/a=2@${second}`]);
    expect(await keysOf(after, '/', second)).toEqual([`/a=2@${second}`, `/b=1@${first}`]);
    const watch = new Recorder(after, '/', second);
    const fourth = await write(after, put('/c'));
    await watch.reaches(fourth);
    expect(watch.lines).toEqual([`put /a ${second}`, `delete /b ${third}`, `put /c ${fourth}`]);
  });

  it('expires entries whose time came while no process was running', async () => {
    const clock = new ManualClock();
    const before = await open({ clock });
    const last = await write(
      before,
      { type: 'put', key: '/short', value: bytes(''), ttlSeconds: 10 },
      put('/long'),
    );
    await before.close();
    await clock.advance(60);
    const after = await open({ clock });
    const watch = new Recorder(after, '/', last + 1);
    await eventually('the entry to expire', () => watch.lines.length > 0);
    expect(watch.lines).toEqual([`delete /short ${last + 1}`]);
    expect(await keysOf(after, '/')).toEqual([`/long=/long@${last}`]);
  });

  it('leaves only the files of the database behind, readable by their owner only', async () => {
    await (await open()).close();
    expect(existsSync(dataFile())).toBe(true);
    expect(readdirSync(directory).sort()).toEqual(['data.mdb', 'lock.mdb', 'reserve']);
    expect(statSync(dataFile()).mode & 0o777).toBe(0o600);
  });
});

describe('a data directory of an earlier release', () => {
  const FIXTURE = new URL('./fixtures/format-1.mdb.gz', import.meta.url);
  const MAPS = '/registry/configmaps/default/map-';
  const lengths = async (store: Store, revision?: number) => {
    const { entries } = await store.list({ prefix: MAPS, ...(revision !== undefined && { revision }) });
    return entries.map(
      ({ key, value, modRevision }) => `${key.slice(MAPS.length)} ${value.length} @${modRevision}`,
    );
  };
  const NEWEST = ['0 84 @2', '1 90 @7', '3 1584 @5', '4 3026 @12'];

  beforeEach(() => writeFileSync(dataFile(), gunzipSync(readFileSync(FIXTURE))));

  it('is upgraded with its entries, history and expiry', async () => {
    const store = await open({ clock: new ManualClock() });
    expect([await store.currentRevision(), await store.compactedRevision()]).toEqual([12, 0]);
    expect(await lengths(store)).toEqual(NEWEST);
    expect(await lengths(store, 6)).toEqual(['0 84 @2', '1 584 @3', '2 1084 @4', '3 1584 @5', '4 2084 @6']);
    const watch = new Recorder(store, '/', 7);
    await watch.reaches(12);
    expect(watch.lines).toEqual([
      `put ${MAPS}1 7`,
      'put /registry/leases/short 8',
      `delete ${MAPS}2 9`,
      `put ${MAPS}4 10`,
      `put ${MAPS}4 11`,
      `put ${MAPS}4 12`,
    ]);
  });

  it('is written on, beside what it held', async () => {
    const before = await open({ clock: new ManualClock() });
    await write(before, put(`${MAPS}4`, 'y'.repeat(5_000)));
    await write(before, put(`${MAPS}3`, 'z'));
    await before.close();
    const after = await open({ clock: new ManualClock() });
    expect(await lengths(after)).toEqual(['0 84 @2', '1 90 @7', '3 1 @14', '4 5000 @13']);
    expect(await lengths(after, 12)).toEqual(NEWEST);
    await after.compact(14);
    expect(await lengths(after, 14)).toHaveLength(4);
  });
});

describe('history on disk', () => {
  it('is bounded by number', async () => {
    const store = await open({ maxHistoryRevisions: 100 });
    for (let round = 0; round < 30; round++)
      await Promise.all(Array.from({ length: 10 }, (_, at) => write(store, put(`/k${at}`, `${round}`))));
    await eventually(
      'the history to be compacted by number',
      async () => (await store.currentRevision()) - (await store.compactedRevision()) <= 110,
    );
    expect((await store.list({ prefix: '/' })).entries).toHaveLength(10);
  });

  it('is bounded by size', async () => {
    const store = await open({ maxHistoryBytes: 200_000 });
    for (let round = 0; round < 200; round++) await write(store, put('/k', noise(10_000)));
    await eventually(
      'the history to be compacted by size',
      async () => (await store.currentRevision()) - (await store.compactedRevision()) <= 20,
    );
    expect(statSync(dataFile()).size).toBeLessThan(2_000_000);
  });

  it('frees its space for new data', async () => {
    const store = await open();
    const round = async () => {
      for (let count = 0; count < 50; count++) await write(store, put('/k', noise(20_000)));
      await store.compact(await store.currentRevision());
      await eventually('a write after the compaction', async () => (await write(store, put('/tick'))) > 0);
    };
    for (let count = 0; count < 3; count++) await round();
    const { size } = statSync(dataFile());
    for (let count = 0; count < 5; count++) await round();
    expect(statSync(dataFile()).size).toBeLessThan(size * 2);
  });
});

describe('a full store', () => {
  it('refuses only what does not fit, until space is freed', async () => {
    const store = await open({ maxBytes: 100_000 });
    const value = noise(10_000);
    let count = 0;
    const fill = async () => {
      for (; ; count++) await write(store, put(`/k${count}`, value));
    };
    await expect(fill()).rejects.toMatchObject({ code: 'full' });
    expect(count).toBeGreaterThan(4);
    expect((await store.list({ prefix: '/' })).entries).toHaveLength(count);
    const revision = await write(store, remove('/k0'), remove('/k1'));
    await expect(write(store, put('/again', value))).rejects.toMatchObject({ code: 'full' });
    await store.compact(revision);
    await eventually('room for another write', () =>
      write(store, put('/again', value)).then(
        () => true,
        () => false,
      ),
    );
    expect(await store.get('/again')).toBeDefined();
  });

  it('fails only the commits that do not fit', async () => {
    const store = await open({ maxBytes: 50_000 });
    const results = await Promise.allSettled([
      write(store, put('/small/1')),
      write(store, put('/large', noise(100_000))),
      write(store, put('/small/2')),
    ]);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await store.list({ prefix: '/' })).entries.map((entry) => entry.key)).toEqual([
      '/small/1',
      '/small/2',
    ]);
  });
});

describe('a write that fails for another reason than space', () => {
  const FAILURE = Object.assign(new Error('MDB_BAD_TXN'), { code: -30782 });
  /** The next so many transactions fail, before or after they are on disk. */
  const failing = async (times: number, when: 'before' | 'after') => {
    const tables = await openTables(directory);
    const causes: Error[] = [];
    let left = times;
    const sabotage = (): void => {
      const { root } = tables;
      const batch = root.batch.bind(root);
      root.batch = async (action) => {
        const fails = left-- > 0;
        if (fails && when === 'before') throw FAILURE;
        const done = await batch(action);
        if (fails) throw FAILURE;
        return done;
      };
    };
    sabotage();
    const durable: number[] = [];
    const writer = new GroupWriter({
      tables,
      space: new DiskSpace(tables.path),
      state: readState(tables),
      maxBytes: Number.POSITIVE_INFINITY,
      time: () => 0,
      onDurable: ({ batches }) => durable.push(...batches.map(({ revision }) => revision)),
      onFull: () => undefined,
      reopen: async () => {
        await reopenTables(tables);
        sabotage();
      },
      onRecovery: (cause) => causes.push(cause),
    });
    const commit = (key: string) => writer.commit({ conditions: [], operations: [put(key)] });
    return { writer, commit, causes, durable, close: () => tables.root.close() };
  };

  it.each(['before', 'after'] as const)(
    '%s it is on disk is recovered from by opening again',
    async (when) => {
      const { writer, commit, causes, durable, close } = await failing(1, when);
      expect(await commit('/a')).toEqual({ committed: true, revision: 2 });
      expect(await commit('/b')).toEqual({ committed: true, revision: 3 });
      expect([causes, durable, writer.fault]).toEqual([[FAILURE], [2, 3], undefined]);
      await close();
      expect(await keysOf(await open(), '/')).toEqual(['/a=/a@2', '/b=/b@3']);
    },
  );

  it('again and again makes the store read-only, with the reason', async () => {
    const { writer, commit, close } = await failing(100, 'before');
    await expect(commit('/a')).rejects.toMatchObject({ code: 'unavailable' });
    await expect(commit('/b')).rejects.toThrow(/read-only until it is opened again: MDB_BAD_TXN/);
    expect(writer.fault?.message).toMatch(/MDB_BAD_TXN/);
    await close();
    expect(await keysOf(await open(), '/')).toEqual([]);
  });
});

describe('a damaged data directory', () => {
  const fill = async () => {
    const store = await open();
    for (let at = 0; at < 200; at++) await write(store, put(`/k${at}`, `at-${at}-${noise(3_000)}`));
    await store.close();
  };
  const refused = async (what: RegExp) => {
    const error = await open().then(
      () => undefined,
      (reason: unknown) => reason as Error,
    );
    expect(error).toMatchObject({ code: 'corrupt' });
    expect(error?.message).toContain(dataFile());
    expect(error?.message).toMatch(what);
    expect(error?.message).toMatch(/backup/);
  };

  it('is refused if the file is not LMDB', async () => {
    writeFileSync(dataFile(), 'this is not a database '.repeat(1000));
    await refused(/does not start like an LMDB file/);
    expect(readFileSync(dataFile(), 'utf8')).toContain('not a database');
  });

  it('is refused unchanged if the file is empty', async () => {
    await fill();
    truncateSync(dataFile(), 0);
    await refused(/0 bytes/);
    expect(statSync(dataFile()).size).toBe(0);
  });

  it('is refused if the file cannot be read', async () => {
    mkdirSync(dataFile());
    await expect(open()).rejects.toMatchObject({ message: expect.stringContaining(dataFile()) });
  });

  it('is refused if the file is cut within its header', async () => {
    await fill();
    truncateSync(dataFile(), 100);
    await refused(/header is cut off/);
  });

  it('is refused unchanged if the end of the file is missing', async () => {
    await fill();
    const size = Math.floor(statSync(dataFile()).size / 2);
    truncateSync(dataFile(), size);
    await refused(/missing/);
    expect(statSync(dataFile()).size).toBe(size);
  });

  it('is refused if it has the format of another release', async () => {
    await fill();
    const tables = await openTables(directory);
    await tables.root.batch(() => tables.meta.put('format', numberBytes(99)));
    await tables.root.close();
    await refused(/format 99/);
  });

  it('is refused if another program wrote it', async () => {
    const foreign = openLmdb(directory, { noSubdir: false });
    await foreign.put('theirs', 'do not touch');
    await foreign.close();
    await refused(/not written/);
  });

  it('is refused if any page that leads to entries is damaged', async () => {
    await fill();
    const good = readFileSync(dataFile());
    const kinds = Array.from(
      { length: good.length / 4096 },
      (_, page) => good.readUInt16LE(page * 4096 + 18) & 0xf,
    );
    const leaves = kinds.flatMap((kind, page) => (kind === 1 || kind === 2 ? [page] : []));
    let refusals = 0;
    for (const page of leaves) {
      const file = Buffer.from(good);
      file.fill(0xa5, page * 4096, page * 4096 + 4096);
      writeFileSync(dataFile(), file);
      // Pages that no tree refers to are free, and harmless.
      await openStore(`lmdb:${directory}`).then(
        (store) => store.close(),
        (error: unknown) => {
          expect(error).toMatchObject({ code: 'corrupt' });
          refusals++;
        },
      );
    }
    expect(refusals).toBeGreaterThan(5);
  });

  it('never returns a value that was changed on disk', async () => {
    await fill();
    const file = readFileSync(dataFile());
    for (let at = file.indexOf('at-77-'); at >= 0; at = file.indexOf('at-77-', at + 1)) file.write('AT', at);
    writeFileSync(dataFile(), file);
    const store = await open();
    await expect(store.get('/k77')).rejects.toMatchObject({
      code: 'corrupt',
      message: expect.stringContaining('/k77'),
    });
    await expect(store.list({ prefix: '/' })).rejects.toMatchObject({ code: 'corrupt' });
    expect(await store.get('/k78')).toBeDefined();
  });
});
