import { expect, it } from 'vitest';
import { SpareMemory } from './spare-memory.ts';

it('gives again what it was given, if that is long enough', () => {
  const memory = new SpareMemory();
  const first = memory.take(1000);
  expect(first.length).toBeGreaterThanOrEqual(1000);
  expect(memory.take(1000)).not.toBe(first);
  memory.give(first);
  expect(memory.take(2 * first.length)).not.toBe(first);
  expect(memory.take(first.length)).toBe(first);
});

it('keeps a few, and none that is very long', () => {
  const memory = new SpareMemory();
  const taken = Array.from({ length: 20 }, () => memory.take(1000));
  for (const buffer of taken) memory.give(buffer);
  expect(Array.from({ length: 20 }, () => memory.take(1000)).filter((buffer) => taken.includes(buffer))).toHaveLength(8);
  const long = memory.take(100 * 1024 * 1024);
  memory.give(long);
  expect(memory.take(1000)).not.toBe(long);
});
