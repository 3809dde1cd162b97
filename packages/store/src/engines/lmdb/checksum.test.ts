import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checksum } from './checksum.ts';

it('does not depend on where the bytes lie', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat({ max: 9 }), (bytes, offset) => {
      const moved = new Uint8Array(offset + bytes.length);
      moved.set(bytes, offset);
      expect(checksum(moved, offset)).toBe(checksum(Uint8Array.from(bytes), 0));
    }),
  );
});

it('changes with every bit', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 64 }), fc.nat(), (bytes, bit) => {
      const changed = Uint8Array.from(bytes);
      changed[(bit >>> 3) % bytes.length]! ^= 1 << (bit & 7);
      expect(checksum(changed, 0)).not.toBe(checksum(bytes, 0));
    }),
  );
});

it('changes with the length', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 64 }), (bytes) => {
      expect(checksum(new Uint8Array([...bytes, 0]), 0)).not.toBe(checksum(bytes, 0));
    }),
  );
});

it('distinguishes many values', () => {
  const seen = new Set<number>();
  for (let count = 0; count < 20_000; count++)
    seen.add(checksum(Buffer.from(`{"count":${count},"padding":"xxxxxxxxxxxx"}`), 0));
  expect(seen.size).toBeGreaterThan(19_995);
});
