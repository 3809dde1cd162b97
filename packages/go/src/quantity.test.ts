import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addQuantities,
  compareQuantities,
  parseQuantity,
  type Quantity,
  quantityAsFloat,
  quantityAsInteger,
  quantityOfInteger,
  quantitySign,
  subtractQuantities,
} from './quantity.ts';

function quantity(text: string): Quantity {
  const parsed = parseQuantity(text);
  if (typeof parsed === 'string') throw new Error(`${text}: ${parsed}`);
  return parsed;
}

const compare = (a: string, b: string) => compareQuantities(quantity(a), quantity(b));

describe('parseQuantity', () => {
  // The results of resource.ParseQuantity of apimachinery 0.36 for corner cases.
  it.each([
    ['1e3', 'DecimalExponent', 1000n],
    ['1e+5', 'DecimalExponent', 100_000n],
    ['e3', 'DecimalExponent', 0n],
    ['+5', 'DecimalSI', 5n],
    ['5.', 'DecimalSI', 5n],
    ['-0', 'DecimalSI', 0n],
    ['+', 'DecimalSI', 0n],
    ['-', 'DecimalSI', 0n],
    ['.', 'DecimalSI', 0n],
    ['Mi', 'BinarySI', 0n],
    ['1E', 'DecimalSI', 10n ** 18n],
    ['-.5', 'DecimalSI', undefined],
    ['1.5Gi', 'BinarySI', undefined],
    ['0.1n', 'DecimalSI', undefined],
  ] as const)('%j is in %s, and as an integer %s', (text, format, integer) => {
    expect(quantity(text).format).toBe(format);
    expect(quantityAsInteger(quantity(text))).toBe(integer);
  });

  it('accepts every notation of an amount', () => {
    for (const [a, b] of [
      ['1500m', '1.5'],
      ['1k', '1000'],
      ['1Ki', '1024'],
      ['2e3', '2k'],
      ['2E3', '2000'],
      ['0.5Gi', '512Mi'],
      ['+7', '7'],
      ['1.', '1'],
      ['.5', '500m'],
      ['1E', '1e18'],
      ['100000n', '100u'],
      ['Mi', '0'],
      ['-', '0'],
    ] as const) {
      expect(compare(a, b), `${a} and ${b}`).toBe(0);
    }
  });

  it('refuses invalid quantities with a reason', () => {
    const format =
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
    expect(parseQuantity('')).toBe(format);
    expect(parseQuantity('1.5 Gi')).toBe(format);
    expect(parseQuantity('1.2.3')).toBe(format);
    expect(parseQuantity('abc')).toBe(format);
    expect(parseQuantity('5KiB')).toBe(format);
    for (const text of ['5K', '5e', '5mi', '5+3', '1e9223372036854775808'])
      expect(parseQuantity(text)).toBe("unable to parse quantity's suffix");
    for (const text of ['Ei', 'e-10'])
      expect(parseQuantity(text)).toBe('unable to parse numeric part of quantity');
  });

  it('rounds up below a nano unit and caps binary amounts', () => {
    expect(compare('0.1n', '1n')).toBe(0);
    expect(compare('-0.1n', '-1n')).toBe(0);
    expect(compare('1e-2147483640', '1n')).toBe(0);
    expect(compare('100Ei', '9223372036854775807')).toBe(0);
    expect(compare('100E', '9223372036854775807')).toBe(1);
  });

  it('takes linear time on many digits', () => {
    const long = '9'.repeat(20_000);
    expect(compare(long, `${long}0`)).toBe(-1);
    expect(parseQuantity(`${'0'.repeat(50_000)}x`)).toMatch(/^quantities must match/);
  });
});

describe('arithmetic', () => {
  it('adds and subtracts across units', () => {
    expect(compareQuantities(addQuantities(quantity('1Gi'), quantity('1024Mi')), quantity('2Gi'))).toBe(0);
    expect(compareQuantities(subtractQuantities(quantity('1'), quantity('1m')), quantity('999m'))).toBe(0);
    expect(compareQuantities(addQuantities(quantity('50k'), quantityOfInteger(20n)), quantity('50020'))).toBe(
      0,
    );
  });

  it('keeps the format of the first amount that is not zero', () => {
    expect(addQuantities(quantity('0'), quantity('1Gi')).format).toBe('BinarySI');
    expect(addQuantities(quantity('1'), quantity('1Gi')).format).toBe('DecimalSI');
  });

  it('goes beyond int64, where there is no integer', () => {
    const sum = addQuantities(quantity('9E'), quantity('9E'));
    expect(compareQuantities(sum, quantity('18E'))).toBe(0);
    expect(quantityAsInteger(sum)).toBe(undefined);
  });

  it('refuses sums of quantities that are too far apart', () => {
    expect(() => addQuantities(quantity('1e2000000000'), quantity('1'))).toThrow(RangeError);
  });
});

describe('conversions', () => {
  it('returns an integer only if the amount is stored as one', () => {
    expect(quantityAsInteger(quantity('1.5k'))).toBe(1500n);
    expect(quantityAsInteger(quantity('50k'))).toBe(50_000n);
    expect(quantityAsInteger(quantity('1000m'))).toBe(undefined);
    expect(quantityAsInteger(quantity('0.5'))).toBe(undefined);
    expect(quantityAsInteger(quantity('9223372036854775807'))).toBe(undefined);
    expect(quantityAsInteger(quantity('1e19'))).toBe(undefined);
  });

  it('approximates as a float', () => {
    expect(quantityAsFloat(quantity('500m'))).toBe(0.5);
    expect(quantityAsFloat(quantity('1e400'))).toBe(Number.POSITIVE_INFINITY);
    expect(quantityAsFloat(quantity('-1Ki'))).toBe(-1024);
  });

  it('has a sign', () => {
    expect(['-1m', '0', '1n'].map((text) => quantitySign(quantity(text)))).toEqual([-1, 0, 1]);
  });
});

describe('laws', () => {
  const amount = fc
    .tuple(
      fc.bigInt(-(10n ** 17n), 10n ** 17n),
      fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'Ki', 'Mi', 'e2', 'e-4'),
    )
    .map(([value, suffix]) => quantity(`${value}${suffix}`));

  it('comparison is a total order that agrees with subtraction', () => {
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        expect(compareQuantities(a, b)).toBe(-compareQuantities(b, a) + 0);
        expect(quantitySign(subtractQuantities(a, b))).toBe(compareQuantities(a, b));
      }),
    );
  });

  it('adding and subtracting an amount returns the original', () => {
    fc.assert(
      fc.property(
        amount,
        amount,
        (a, b) => compareQuantities(subtractQuantities(addQuantities(a, b), b), a) === 0,
      ),
    );
  });
});
