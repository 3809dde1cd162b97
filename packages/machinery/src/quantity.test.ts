import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareQuantities, parseQuantity, printQuantity } from './quantity.ts';

const canonical = (text: string) => {
  const quantity = parseQuantity(text);
  return quantity === undefined ? undefined : printQuantity(quantity);
};

describe('quantities', () => {
  it.each([
    ['0', '0'],
    ['100m', '100m'],
    ['0.1', '100m'],
    ['1.5Gi', '1536Mi'],
    ['1024Mi', '1Gi'],
    ['1000', '1k'],
    ['1024', '1024'],
    ['1e3', '1e3'],
    ['12E2', '1200'],
    ['1E', '1E'],
    ['-1.5', '-1500m'],
    ['+2k', '2k'],
    ['.5', '500m'],
    ['5.', '5'],
    ['0.5Ki', '512'],
    ['1.1n', '2n'],
    ['1Ei', '1Ei'],
  ])('%s is %s', (text, printed) => {
    expect(canonical(text)).toBe(printed);
  });

  it.each(['', '.', 'x', '1x', '1ki', '1 ', '1e', '--1', '1.2.3'])('%j is none', (text) => {
    expect(parseQuantity(text)).toBeUndefined();
  });

  it('compares by value', () => {
    expect(compareQuantities(parseQuantity('1Gi')!, parseQuantity('1G')!)).toBe(1);
    expect(compareQuantities(parseQuantity('1000m')!, parseQuantity('1')!)).toBe(0);
  });

  it('means the same after printing', () => {
    const text = fc.tuple(
      fc.integer({ min: -1_000_000, max: 1_000_000 }),
      fc.constantFrom('n', 'u', 'm', '', 'k', 'M', 'Ki', 'Gi', 'e3', 'e-3'),
    );
    fc.assert(
      fc.property(text, ([number, suffix]) => {
        const quantity = parseQuantity(`${number}${suffix}`)!;
        return compareQuantities(parseQuantity(printQuantity(quantity))!, quantity) === 0;
      }),
    );
  });
});
