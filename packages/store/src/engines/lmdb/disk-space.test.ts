import { expect, it } from 'vitest';
import { bytesNeeded, freeBytes, meansFull } from './disk-space.ts';

it('knows the errors of a full disk, and takes a part of a write for one only where space is short', () => {
  expect([28, 27, 122, -30792].map((code) => meansFull(code, 10 ** 12, 0))).toEqual([true, true, true, true]);
  expect([meansFull(5, 4096, 10_000), meansFull(5, 10 ** 12, 10_000), meansFull(-30795, 0, 10_000)]).toEqual([
    true,
    false,
    false,
  ]);
});

it('asks for less where room is made', () => {
  expect(bytesNeeded({ writes: 500, bytes: 32, adds: false })).toBeLessThan(
    bytesNeeded({ writes: 1, bytes: 32, adds: true }),
  );
});

it('takes a path that cannot be asked about for one with room', () => {
  expect(freeBytes('/no/such/path')).toBe(Number.POSITIVE_INFINITY);
  expect(freeBytes('.')).toBeLessThan(Number.POSITIVE_INFINITY);
});
