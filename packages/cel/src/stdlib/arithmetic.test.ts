// Arithmetic on int64 and uint64 compared with BigInt, which cannot overflow.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CelError,
  compile,
  Environment,
  intOf,
  intType,
  standardLibrary,
  type Uint,
  uintOf,
  uintType,
  type Value,
} from '../index.ts';

const environment = new Environment({
  libraries: [standardLibrary],
  variables: { a: intType, b: intType, u: uintType, v: uintType },
});

const edge = (low: bigint, high: bigint) =>
  fc.oneof(
    fc.bigInt(low, high),
    fc.bigInt(-100n, 100n).map((n) => (n < low ? -n : n)),
    fc.constantFrom(low, high, low + 1n, high - 1n, 0n, 1n, 2n ** 53n, 2n ** 53n - 1n),
  );
const int64 = edge(-(2n ** 63n), 2n ** 63n - 1n);
const uint64 = edge(0n, 2n ** 64n - 1n);

const exact: Record<string, (a: bigint, b: bigint) => bigint | undefined> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => (b === 0n ? undefined : a / b),
  '%': (a, b) => (b === 0n ? undefined : a % b),
};

const isNormal = (value: Value): boolean =>
  (typeof value === 'number' && Number.isSafeInteger(value) && !Object.is(value, -0)) ||
  (typeof value === 'bigint' && !Number.isSafeInteger(Number(value)));

describe('arithmetic', () => {
  for (const [sign, compute] of Object.entries(exact)) {
    const ints = compile(`a ${sign} b`, environment);
    const uints = compile(`u ${sign} v`, environment);

    it(`int ${sign} int is exact or an overflow`, () => {
      fc.assert(
        fc.property(int64, int64, (a, b) => {
          const wanted = compute(a, b);
          const overflows =
            wanted === undefined ||
            BigInt.asIntN(64, wanted) !== wanted ||
            (sign === '%' && a === -(2n ** 63n) && b === -1n);
          const { value } = ints.evaluate({ a: intOf(a), b: intOf(b) });
          if (overflows) expect(value).toBeInstanceOf(CelError);
          else {
            expect(BigInt(value as number)).toBe(wanted);
            expect(isNormal(value)).toBe(true);
          }
        }),
      );
    });

    it(`uint ${sign} uint is exact or an overflow`, () => {
      fc.assert(
        fc.property(uint64, uint64, (u, v) => {
          const wanted = compute(u, v);
          const { value } = uints.evaluate({ u: uintOf(u), v: uintOf(v) });
          if (wanted === undefined || BigInt.asUintN(64, wanted) !== wanted)
            expect(value).toBeInstanceOf(CelError);
          else expect(BigInt((value as Uint).value)).toBe(wanted);
        }),
      );
    });
  }

  it('orders ints and uints as the numbers they are', () => {
    const mixed = compile('dyn(a) < dyn(u)', environment);
    fc.assert(
      fc.property(int64, uint64, (a, u) => {
        expect(mixed.evaluate({ a: intOf(a), u: uintOf(u) }).value).toBe(a < u);
      }),
    );
  });
});
