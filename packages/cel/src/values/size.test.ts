import fc from 'fast-check';
import { expect, it } from 'vitest';
import { codePoints } from './size.ts';

it('counts code points, even across the chunks of a long text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(3), (text, shift) => {
      expect(codePoints(text)).toBe([...text].length);
      const long = `${'a'.repeat(65_533 + shift)}${text}😀\ud800`;
      expect(codePoints(long)).toBe([...long].length);
    }),
    { numRuns: 40 },
  );
});
