import { describe, expect, it } from 'vitest';
import { LineCounter } from './line-counter.ts';

describe('LineCounter', () => {
  const text = 'a\nbc\n\nd';

  it('counts lines from 1', () => {
    const lines = new LineCounter(text);
    expect([0, 1, 2, 4, 5, 6].map((position) => lines.lineAt(position))).toEqual([1, 1, 2, 2, 3, 4]);
  });

  it('also goes back', () => {
    const lines = new LineCounter(text);
    expect([6, 2, 5, 0].map((position) => lines.lineAt(position))).toEqual([4, 2, 3, 1]);
  });
});
