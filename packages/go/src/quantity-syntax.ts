// The syntax of quantities: a sign, digits, a fraction and a suffix, all optional, though not all may be
// missing. This splits the text and parses the suffix; quantity.ts computes the amount.

export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

export const quantityFormatError =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
export const quantityNumberError = 'unable to parse numeric part of quantity';
const quantitySuffixError = "unable to parse quantity's suffix";

export interface QuantityParts {
  readonly negative: boolean;
  /** Without leading zeros, and so possibly empty. */
  readonly whole: string;
  readonly fraction: string;
  readonly suffix: string;
  /** A bare suffix such as `Mi` counts as zero, but only while the amount is small. */
  readonly hasDigits: boolean;
}

// What follows the digits cannot start with a digit, so the expression never backtracks.
const SYNTAX = /^([+-]?)([0-9]*)(?:\.([0-9]*))?((?:[eEinumkKMGTP]+[-+]?|[-+])[0-9]*)?$/;

export function splitQuantity(text: string): QuantityParts | undefined {
  const match = text === '' ? null : SYNTAX.exec(text);
  if (match === null) return undefined;
  const [, sign, digits = '', fraction = '', suffix = ''] = match;
  return {
    negative: sign === '-',
    whole: digits.replace(/^0+/, ''),
    fraction,
    suffix,
    hasDigits: digits !== '' || fraction !== '',
  };
}

export interface QuantitySuffix {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

const suffixes = new Map<string, QuantitySuffix>([
  ...Object.entries({ n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 }).map(
    ([name, exponent]): [string, QuantitySuffix] => [name, { base: 10, exponent, format: 'DecimalSI' }],
  ),
  ...['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((name, index): [string, QuantitySuffix] => [
    name,
    { base: 2, exponent: (index + 1) * 10, format: 'BinarySI' },
  ]),
]);

export function readSuffix(suffix: string): QuantitySuffix | string {
  const known = suffixes.get(suffix);
  if (known !== undefined) return known;
  if (!/^[eE][-+]?[0-9]+$/.test(suffix)) return quantitySuffixError;
  const exponent = BigInt(suffix.slice(1).replace('+', ''));
  if (exponent !== BigInt.asIntN(64, exponent)) return quantitySuffixError;
  // Upstream keeps 32 bits of the exponent.
  return { base: 10, exponent: Number(BigInt.asIntN(32, exponent)), format: 'DecimalExponent' };
}
