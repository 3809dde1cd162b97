import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bytesOf } from './exchange.ts';

it('writes pieces as one text in UTF-8', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), (pieces) => {
      expect(bytesOf(pieces).equals(Buffer.from(pieces.join('')))).toBe(true);
    }),
  );
  expect(bytesOf('ä').equals(Buffer.from('ä'))).toBe(true);
});
