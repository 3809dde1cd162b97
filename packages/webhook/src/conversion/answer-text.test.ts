import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AnswerText } from './answer-text.ts';

it('an answer is all that was written, however long', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.nat(20), (texts, expected) => {
      const answer = new AnswerText(expected);
      for (const text of texts) answer.write(text);
      expect(Buffer.from(answer.answer()).toString()).toBe(texts.join(''));
    }),
  );
});
