// Quantities (`1500m`, `1.5Gi`, `12e6`) with the exact arithmetic of Kubernetes' resource.Quantity, on
// bigint. They are parsed, compared and calculated with; print-quantity.ts prints them.
//
// Upstream keeps a quantity as a scaled int64 where it fits and as a big decimal otherwise, and the
// difference shows: only the small form converts to an integer. `small` mirrors that.
import {
  type QuantityFormat,
  quantityFormatError,
  quantityNumberError,
  readSuffix,
  splitQuantity,
} from './quantity-syntax.ts';

/** The value is unscaled × 10^scale. */
export interface Quantity {
  readonly unscaled: bigint;
  readonly scale: number;
  readonly small: boolean;
  readonly format: QuantityFormat;
}

const maxInt64 = 2n ** 63n - 1n;
const minInt64 = -(2n ** 63n);
const nano = -9;
/** Rescaling across more digits than this would only waste memory: no such amount is meaningful. */
const maxRescaleDigits = 10_000;

/** The quantity, or the text of the error. */
export function parseQuantity(text: string): Quantity | string {
  const parts = splitQuantity(text);
  if (parts === undefined) return quantityFormatError;
  const suffix = readSuffix(parts.suffix);
  if (typeof suffix === 'string') return suffix;
  const digits = (parts.whole === '' ? '0' : parts.whole) + parts.fraction;
  const { base, exponent, format } = suffix;
  const precision =
    base === 10
      ? 18 - digits.length
      : parts.fraction === ''
        ? 15 - digits.length - Math.trunc((exponent * 3) / 10) - 1
        : -1;
  const scale = (base === 10 ? exponent : 0) - parts.fraction.length;
  const unscaled =
    BigInt(parts.negative ? `-${digits}` : digits) * (base === 2 ? 1n << BigInt(exponent) : 1n);
  if (precision >= 0 && scale >= nano) return { unscaled, scale, small: true, format };
  if (!parts.hasDigits) return quantityNumberError;
  return largeQuantity(unscaled, scale, format);
}

/** Rounds away from zero to nano units, and caps amounts in binary units at the largest int64. */
function largeQuantity(unscaled: bigint, scale: number, format: QuantityFormat): Quantity {
  if (unscaled === 0n) return { unscaled, scale, small: false, format };
  const magnitude = roundUpToNano(unscaled < 0n ? -unscaled : unscaled, scale);
  const one = 10n ** 9n;
  const capped = format === 'BinarySI' && magnitude.scale === nano && magnitude.unscaled > maxInt64 * one;
  const amount = capped ? { unscaled: maxInt64, scale: 0 } : magnitude;
  const belowOne = amount.scale === nano && amount.unscaled < one;
  return {
    unscaled: unscaled < 0n ? -amount.unscaled : amount.unscaled,
    scale: amount.scale,
    small: false,
    format: format === 'BinarySI' && belowOne ? 'DecimalSI' : format,
  };
}

function roundUpToNano(magnitude: bigint, scale: number): { unscaled: bigint; scale: number } {
  const drop = nano - scale;
  if (drop <= 0)
    return -drop > maxRescaleDigits
      ? { unscaled: magnitude, scale }
      : { unscaled: magnitude * 10n ** BigInt(-drop), scale: nano };
  if (drop > magnitude.toString().length) return { unscaled: 1n, scale: nano };
  const divisor = 10n ** BigInt(drop);
  return { unscaled: (magnitude + divisor - 1n) / divisor, scale: nano };
}

/** An integer as a quantity. */
export function quantityOfInteger(value: bigint): Quantity {
  return { unscaled: value, scale: 0, small: true, format: 'DecimalExponent' };
}

/** The sum; throws a RangeError if the scales of the two are too far apart. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const format = a.unscaled === 0n ? b.format : a.format;
  if (a.small && b.small) {
    if (b.unscaled === 0n) return { ...a, format };
    if (a.unscaled === 0n) return { ...b, format };
  }
  const scale = Math.min(a.scale, b.scale);
  const [left, right] = [rescaled(a, scale), rescaled(b, scale)];
  const sum = left + right;
  const small = a.small && b.small && isInt64(left) && isInt64(right) && isInt64(sum);
  return { unscaled: sum, scale, small, format };
}

/** The difference; throws as addQuantities does. */
export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  // Upstream negates an int64 in place, so the smallest one stays unchanged.
  const negated = b.small ? BigInt.asIntN(64, -b.unscaled) : -b.unscaled;
  return addQuantities(a, { ...b, unscaled: negated });
}

function rescaled(quantity: Quantity, scale: number): bigint {
  const shift = quantity.scale - scale;
  if (shift > maxRescaleDigits) throw new RangeError('quantities are too far apart to be added');
  return quantity.unscaled * 10n ** BigInt(shift);
}

/** The order of two quantities by value, whatever their formats. */
export function compareQuantities(a: Quantity, b: Quantity): -1 | 0 | 1 {
  const sign = quantitySign(a);
  if (sign !== quantitySign(b)) return sign < quantitySign(b) ? -1 : 1;
  if (sign === 0) return 0;
  // The position of the leading digit decides without rescaling, unless it is the same.
  const lead = digitCount(a) + a.scale - (digitCount(b) + b.scale);
  if (lead !== 0) return lead > 0 === sign > 0 ? 1 : -1;
  const scale = Math.min(a.scale, b.scale);
  const [left, right] = [
    a.unscaled * 10n ** BigInt(a.scale - scale),
    b.unscaled * 10n ** BigInt(b.scale - scale),
  ];
  return left === right ? 0 : left < right ? -1 : 1;
}

function digitCount(quantity: Quantity): number {
  return quantity.unscaled.toString().length - (quantity.unscaled < 0n ? 1 : 0);
}

/** -1, 0 or 1. */
export function quantitySign(quantity: Quantity): -1 | 0 | 1 {
  return quantity.unscaled === 0n ? 0 : quantity.unscaled < 0n ? -1 : 1;
}

/** The integer, if upstream can return it without the big decimal: undefined for `1000m` as for `0.5`. */
export function quantityAsInteger(quantity: Quantity): bigint | undefined {
  if (!quantity.small || quantity.scale < 0) return undefined;
  if (quantity.unscaled === 0n) return 0n;
  if (quantity.scale > 18) return undefined;
  const value = quantity.unscaled * 10n ** BigInt(quantity.scale);
  return isInt64(value) ? value : undefined;
}

/** Upstream's AsApproximateFloat64. */
export function quantityAsFloat(quantity: Quantity): number {
  const base = Number(quantity.unscaled);
  return quantity.scale === 0 ? base : base * Number(`1e${quantity.scale}`);
}

function isInt64(value: bigint): boolean {
  return value >= minInt64 && value <= maxInt64;
}
