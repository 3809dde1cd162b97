import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checksum } from './checksum.ts';
import { COMMON_TEXT } from './common-text.ts';
import { lastingReference, pack, unpack } from './packed.ts';

const bytes = (text: string): Buffer => Buffer.from(text);
const NO_LIMIT = 1 << 24;
const roundTrip = (value: Buffer, reference: Uint8Array): Buffer =>
  unpack(Buffer.from(pack(value, { bytes: reference }, NO_LIMIT)!), 0, value.length, reference);

/** Texts with repetitions, of which two made from the same words have much in common. */
const words = fc.array(
  fc.constantFrom('metadata', '"name":', 'aaaaaaaaaaaaaaaa', '{}', 'é', '\0\0\0\0\0\0', 'x'),
  { maxLength: 200 },
);
const text = words.map((list) => bytes(list.join('')));
const anything = fc.oneof(
  text,
  fc.uint8Array({ maxLength: 400 }).map((array) => Buffer.from(array)),
);

describe('packed bytes', () => {
  it('give back what was packed', () => {
    fc.assert(
      fc.property(anything, anything, (value, reference) => roundTrip(value, reference).equals(value)),
    );
  });

  it('give back what was packed against a reference that is reused', () => {
    const check = (value: Buffer): boolean => {
      const packed = Buffer.from(pack(value, COMMON_TEXT, NO_LIMIT)!);
      return unpack(packed, 0, value.length, COMMON_TEXT.bytes).equals(value);
    };
    fc.assert(fc.property(anything, check));
  });

  it('work for values that are long', () => {
    const value = bytes(Array.from({ length: 100_000 }, (_, at) => `line ${at * 7919} `).join(''));
    const changed = Buffer.concat([value.subarray(0, 400_000), bytes('changed'), value.subarray(400_100)]);
    const packed = pack(value, { bytes: changed }, NO_LIMIT)!;
    expect(packed.length).toBeLessThan(value.length / 200);
    expect(unpack(Buffer.from(packed), 0, value.length, changed).equals(value)).toBe(true);
  });

  it('are small if little differs, wherever that is', () => {
    const data = Array.from({ length: 500 }, (_, at) => (at * 2654435761).toString(36)).join();
    const before = bytes(`{"generation":7,"time":"10:00:00","data":"${data}","status":"old"}`);
    const after = bytes(`{"generation":8,"time":"10:00:01","data":"${data}","status":"new","more":1}`);
    expect(pack(before, { bytes: after }, NO_LIMIT)!.length).toBeLessThan(60);
  });

  it('are not made if they would take more than the limit', () => {
    const random = fc.sample(fc.uint8Array({ minLength: 5_000, maxLength: 5_000 }), {
      numRuns: 1,
      seed: 1,
    })[0]!;
    expect(pack(random, COMMON_TEXT, 4_900)).toBeUndefined();
    const within = fc.property(
      anything,
      fc.nat(300),
      (value, limit) => (pack(value, COMMON_TEXT, limit)?.length ?? 0) <= limit,
    );
    fc.assert(within);
  });

  it('that are invalid are refused rather than read', () => {
    const refuses = (packed: Uint8Array, length: number): boolean => {
      try {
        return unpack(packed, 0, length, COMMON_TEXT.bytes).length === length;
      } catch (error) {
        return error instanceof RangeError;
      }
    };
    fc.assert(fc.property(fc.uint8Array({ maxLength: 40 }), fc.integer({ min: 1, max: 5_000 }), refuses));
    expect(() => unpack(Buffer.alloc(0), 0, 1, COMMON_TEXT.bytes)).toThrow(RangeError);
  });

  it('do not depend on what was packed before', () => {
    const reference = lastingReference(bytes('the quick brown fox jumps over the lazy dog'));
    const value = bytes('a lazy dog jumps over the quick brown fox');
    const first = Buffer.from(pack(value, reference, NO_LIMIT)!);
    pack(bytes('something else entirely'), COMMON_TEXT, NO_LIMIT);
    expect(pack(value, reference, NO_LIMIT)!.equals(first)).toBe(true);
  });
});

describe('the common text', () => {
  it('is the one that values on disk were packed against', () => {
    expect([COMMON_TEXT.bytes.length, checksum(COMMON_TEXT.bytes, 0)]).toEqual([2_732, 3_253_099_021]);
  });
});
