import { expect, it } from 'vitest';
import { ByteBudget, RecentBytes } from './recent-bytes.ts';

it('caches the most recently used documents, up to the limit', () => {
  const budget = new ByteBudget(10);
  let made = '';
  const [a, b, c] = ['a', 'b', 'c'].map(
    (name) =>
      new RecentBytes(budget, () => {
        made += name;
        return [Buffer.alloc(3), Buffer.alloc(1)];
      }),
  ) as [RecentBytes, RecentBytes, RecentBytes];
  const asked = (...items: RecentBytes[]): string => {
    made = '';
    for (const item of items) item.get();
    return made;
  };
  expect(asked(a, b, a)).toBe('ab');
  expect(asked(c, a, c)).toBe('c');
  expect(asked(b)).toBe('b');
  expect(asked(c, b)).toBe('');
  a.peek();
  expect(asked(c, b, a)).toBe('a');
});

it('returns a document that is over the limit without caching it', () => {
  const large = new RecentBytes(new ByteBudget(10), () => [Buffer.alloc(11)]);
  expect(large.get()).not.toBe(large.get());
});
