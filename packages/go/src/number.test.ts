import { describe, expect, it } from 'vitest';
import { parseDigits, parseFloat64, printFloat, printGoNumber } from './number.ts';

describe('printFloat', () => {
  // The output of Go 1.26 for %v of a float64.
  it.each([
    [1.5, '1.5'],
    [-1.5, '-1.5'],
    [123456.5, '123456.5'],
    [999999.5, '999999.5'],
    [1234567.5, '1.2345675e+06'],
    [-1234567.5, '-1.2345675e+06'],
    [0.0001, '0.0001'],
    [0.00012345, '0.00012345'],
    [0.00001, '1e-05'],
    [1e-100, '1e-100'],
    [1e20, '1e+20'],
    [1e21, '1e+21'],
    [100000, '100000'],
    [1e6, '1e+06'],
    [2 ** 60, '1.152921504606847e+18'],
    [0, '0'],
    [-0, '-0'],
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, '+Inf'],
    [Number.NEGATIVE_INFINITY, '-Inf'],
  ])('%d is %s', (value, printed) => {
    expect(printFloat(value)).toBe(printed);
  });
});

describe('printGoNumber', () => {
  it.each([
    [1_000_000, '1000000'],
    [2n ** 60n, '1152921504606846976'],
    [1234567.5, '1.2345675e+06'],
    [1e21, '1e+21'],
  ])('%d is %s', (value, printed) => {
    expect(printGoNumber(value)).toBe(printed);
  });
});

describe('parseFloat64', () => {
  it.each([
    ['1', 1],
    ['+1.5', 1.5],
    ['.5', 0.5],
    ['5.', 5],
    ['1e3', 1000],
    ['-inf', Number.NEGATIVE_INFINITY],
    ['+Infinity', Number.POSITIVE_INFINITY],
    ['nan', Number.NaN],
    ['-nan', undefined],
    ['', undefined],
    ['.', undefined],
    ['1e', undefined],
    ['1e999', undefined],
    [' 1', undefined],
    ['1_000.2_5e1_0', 1000.25e10],
    ['1__0', undefined],
    ['_1', undefined],
    ['1_.5', undefined],
    ['1e_1', undefined],
    ['0x1.8p1', 3],
    ['-0X_Fp-2', -3.75],
    ['0x1p-1074', 5e-324],
    ['0x1p1024', undefined],
    ['0x1', undefined],
    ['0xp1', undefined],
  ])('reads %j as Go does', (text, value) => {
    expect(parseFloat64(text)).toBe(value);
  });
});

describe('parseDigits', () => {
  it.each([
    ['', 0n],
    ['007', 7n],
    [`${'0'.repeat(30)}3`, 3n],
    ['10', 10n],
    ['11', undefined],
    ['9'.repeat(100_000), undefined],
  ])('reads %.10s up to a maximum of 10', (digits, value) => {
    expect(parseDigits(digits, 10n)).toBe(value);
  });
});
