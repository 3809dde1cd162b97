// How old versions are stored: as differences from their successors, in little space, and read like any
// other.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@instar/testing';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { put, remove, textOf, write } from '../../contract/engine.ts';
import { Recorder } from '../../contract/index.ts';
import { openStore } from '../../open.ts';
import type { Store } from '../../store.ts';

let directory: string;
let store: Store;
beforeEach(async () => {
  directory = temporaryFolder(onTestFinished);
  store = await openStore(`lmdb:${directory}`);
});
afterEach(async () => {
  await store.close();
});

const random = Array.from({ length: 400 }, (_, at) => Math.imul(at + 1, 0x9e3779b1).toString(36)).join();
const version = (number: number): string =>
  `{"version":${number},"data":"${random}","status":"${number % 3}"}`;
const VERSIONS = 50;

/** Every version of a key, with the revision that wrote it; between the last two the key was gone. */
async function written(key: string): Promise<Map<number, string>> {
  const versions = new Map<number, string>();
  for (let number = 0; number < VERSIONS; number++) {
    if (number === VERSIONS - 1) await write(store, remove(key));
    versions.set(await write(store, put(key, version(number))), version(number));
  }
  return versions;
}

describe('many versions of a key', () => {
  it('are all in lists of the past, also after a restart', async () => {
    const versions = await written('/k');
    await store.close();
    store = await openStore(`lmdb:${directory}`);
    for (const [revision, text] of versions) {
      const { entries } = await store.list({ prefix: '/', revision });
      expect(entries.map((entry) => [entry.modRevision, textOf(entry)])).toEqual([[revision, text]]);
    }
  });

  it('are reported to a watch from the past, each with the previous one', async () => {
    const versions = await written('/k');
    const [first] = versions.keys();
    const watch = new Recorder(store, '/', first!);
    await watch.reaches(await store.currentRevision());
    const puts = watch.events.filter(({ type }) => type === 'put');
    expect(puts.map(({ revision, entry }) => [revision, textOf(entry)])).toEqual([...versions]);
    const befores = watch.events.flatMap(({ previous }) =>
      previous === undefined ? [] : [[previous.modRevision, textOf(previous)]],
    );
    expect(befores).toEqual([...versions].slice(0, -1));
  });

  it('take a fraction of their size', async () => {
    await Promise.all([written('/a'), written('/b'), written('/c')]);
    expect(statSync(join(directory, 'data.mdb')).size).toBeLessThan((3 * VERSIONS * version(1).length) / 2);
  });

  it('can be compacted from the old end without affecting the others', async () => {
    const versions = [...(await written('/k'))];
    for (const [revision, text] of versions.slice(20)) {
      await store.compact(revision - 1);
      const { entries } = await store.list({ prefix: '/', revision });
      expect(entries.map(textOf)).toEqual([text]);
    }
  });

  it('may be written in one group', async () => {
    const numbers = Array.from({ length: VERSIONS }, (_, at) => at);
    const revisions = await Promise.all(numbers.map((number) => write(store, put('/k', version(number)))));
    for (const number of numbers) {
      const { entries } = await store.list({ prefix: '/', revision: revisions[number]! });
      expect(entries.map(textOf)).toEqual([version(number)]);
    }
  });
});
