import { describe, expect, it } from 'vitest';
import { parseReview } from './parse-review.ts';

const nested = (depth: number): string => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

describe('an answer is not parsed as JSON', () => {
  it.each([
    [
      'a number is larger than any',
      '{"a":1e400}',
      'cannot unmarshal number 1e400 into Go value of type float64',
    ],
    ['it is smaller than any', '{"a":[-1e400]}', 'cannot unmarshal number -1e400'],
    ['it is nested deeper than what clients may send', nested(1_100), 'exceeded max depth'],
    ['it is nested so deep that nobody could look at it', nested(200_000), 'exceeded max depth'],
  ])('if %s', (_, text, why) => {
    expect(parseReview(text)).toEqual({ fault: expect.stringContaining(why) });
  });

  it('unless it is as deep as what clients may send, with a review around it', () => {
    expect(parseReview(nested(1_003))).toHaveProperty('value');
    expect(parseReview(nested(1_004))).toHaveProperty('fault');
  });
});
