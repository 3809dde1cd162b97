import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@instar/testing';
import { expect, it, onTestFinished } from 'vitest';
import { bytesNeeded, DiskSpace, freeBytes, meansFull } from './disk-space.ts';

it('treats the error codes of a full disk as such', () => {
  expect([28, 27, 122, -30792].map((code) => meansFull(code, 10 ** 12, 0))).toEqual([true, true, true, true]);
});

it('treats a partial write as a full disk only where space is short', () => {
  expect([meansFull(5, 4096, 10_000), meansFull(5, 10 ** 12, 10_000), meansFull(-30795, 0, 10_000)]).toEqual([
    true,
    false,
    false,
  ]);
});

it('asks for a page for each write beside the values', () => {
  expect(bytesNeeded(10, 5_000) - bytesNeeded(0, 0)).toBe(5_000 + 10 * 4096);
});

it('takes a path that cannot be asked about for one with space', () => {
  expect(freeBytes('/no/such/path')).toBe(Number.POSITIVE_INFINITY);
  expect(freeBytes('.')).toBeLessThan(Number.POSITIVE_INFINITY);
});

it('keeps a reserve beside the data for what frees space', () => {
  const path = join(temporaryFolder(onTestFinished), 'data.mdb');
  const reserve = join(path, '../reserve');
  writeFileSync(path, '');
  const space = new DiskSpace(path);
  expect([space.isFull, statSync(reserve).size]).toEqual([false, 4 * 1024 * 1024]);
  // More than any disk has.
  expect([space.fits(10 ** 18), space.isFull]).toEqual([false, true]);
  expect([space.release(1), existsSync(reserve)]).toEqual([true, true]);
  expect([space.release(10 ** 18), existsSync(reserve)]).toEqual([false, false]);
  space.refresh();
  expect([space.isFull, existsSync(reserve)]).toEqual([false, true]);
  rmSync(reserve);
});
