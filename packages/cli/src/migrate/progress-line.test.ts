import { expect, it } from 'vitest';
import { progressText } from './progress-line.ts';

const counts = { rewritten: 40, current: 5, overtaken: 4, gone: 0, failed: 1, repaired: 0 };

it('shows the progress, the rate and the time left', () => {
  expect(progressText('crontabs', { counts, total: 200 }, 25, false)).toBe(
    'crontabs [██████░░░░░░░░░░░░░░░░░░] 25% 50/200, 25/s, 6 s left, 1 failed',
  );
  expect(progressText('crontabs', { counts, total: undefined }, 0, true)).toBe(
    'crontabs 50, paused, 1 failed',
  );
});
