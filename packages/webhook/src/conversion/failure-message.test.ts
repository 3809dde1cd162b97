import { describe, expect, it } from 'vitest';
import { ConversionFailures } from './failure-message.ts';

function failuresAt(indexes: readonly number[]): ConversionFailures {
  const failures = new ConversionFailures();
  for (const index of indexes) failures.add({ index, count: undefined, error: new Error(`e${index}`) });
  return failures;
}

describe('the message about failures', () => {
  it('names them in the order of the review, whenever they happened', () => {
    expect(failuresAt([2, 0, 1]).message(5, 'v2')).toBe(
      '3 of 5 objects could not be converted: the object at index 0: e0; the object at index 1: e1; the object at index 2: e2',
    );
  });

  it('names only the first ten, and counts the others', () => {
    const message = failuresAt(Array.from({ length: 30 }, (_, i) => 29 - i)).message(30, 'v2');
    expect(message).toMatch(/^30 of 30 .*index 9: e9; and 20 more$/);
    expect(message).not.toContain('index 10');
  });

  it('is about the object alone if there is only one', () => {
    expect(failuresAt([0]).message(1, 'v2')).toBe('the object at index 0: e0');
  });
});

it('the first failure is that of the first object', () => {
  expect(failuresAt([4, 3]).first?.index).toBe(3);
});
