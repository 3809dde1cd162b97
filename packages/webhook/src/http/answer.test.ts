import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bytesOf } from './answer.ts';

it('writes pieces as one text in UTF-8', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), (pieces) => {
      expect(bytesOf(pieces).equals(Buffer.from(pieces.join('')))).toBe(true);
    }),
  );
  expect(bytesOf(['ä', Buffer.from('ö'), 'ü']).toString()).toBe('äöü');
  expect(bytesOf('ä').equals(Buffer.from('ä'))).toBe(true);
});

it('does not copy a body that is bytes already', () => {
  const bytes = Uint8Array.of(1, 2, 3).subarray(1);
  const sent = bytesOf([bytes]);
  expect([sent.buffer, [...sent]]).toEqual([bytes.buffer, [2, 3]]);
});
