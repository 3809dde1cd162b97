import { expect, it } from 'vitest';
import { SpareMemory } from './spare-memory.ts';

const LONG = 100 * 1024;

it('reuses a buffer that is long enough', () => {
  const memory = new SpareMemory();
  const first = memory.take(LONG);
  expect(first.length).toBeGreaterThanOrEqual(LONG);
  expect(memory.take(LONG)).not.toBe(first);
  memory.give(first);
  expect(memory.take(2 * first.length)).not.toBe(first);
  expect(memory.take(first.length)).toBe(first);
});

it('keeps a few of the largest buffers below the maximum size', () => {
  const memory = new SpareMemory();
  const [short, tooLong] = [memory.take(1000), memory.take(100 * LONG)];
  const small = Array.from({ length: 8 }, () => memory.take(LONG));
  const large = Array.from({ length: 3 }, () => memory.take(2 * LONG));
  for (const buffer of [short, tooLong, ...small, ...large]) memory.give(buffer);
  const again = Array.from({ length: 20 }, () => memory.take(LONG));
  expect(again.filter((buffer) => small.includes(buffer))).toHaveLength(5);
  expect(again.filter((buffer) => large.includes(buffer))).toHaveLength(3);
});
